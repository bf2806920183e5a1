package import Diagnostics
package import TerritoryModel

extension SnpackError {
    /// The error as `--json` shows it.
    package var json: JSONObject {
        var object: JSONObject = ["code": .string(code.name), "message": .string(message)]
        object["hint"] = hint.map(JSONValue.string)
        object["path"] = path.map(JSONValue.string)
        if !details.isEmpty { object["details"] = .array(details.map { .object($0.json) }) }
        return object
    }

    /// The error on lines for people: itself, what it stands for, and hints, each hint once.
    func lines(_ label: String, _ style: Terminal.Style, on terminal: Terminal) -> [String] {
        var hints: [String] = []
        var lines = ["snpack: \(terminal.styled("\(label):", style)) \(place)\(printable(message)) [\(code)]"]
        collect(hint, into: &hints)
        append(details, to: &lines, &hints, indent: "  ")
        return lines + hints.map { "\(terminal.styled("hint:", .hint)) \(printable($0))" }
    }

    /// The error with a hint in any case: its own, the first of its details', or what helps with its kind of trouble.
    package var withHint: SnpackError {
        let hint = hint ?? details.lazy.compactMap(\.hint).first ?? code.exitStatus.hint
        return SnpackError(code, message, hint: hint, path: path, details: details)
    }

    private var place: String { path.map { printable($0) + ": " } ?? "" }

    private func append(
        _ details: [SnpackError], to lines: inout [String], _ hints: inout [String], indent: String
    ) {
        for detail in details {
            lines.append("\(indent)- \(detail.place)\(printable(detail.message)) [\(detail.code)]")
            collect(detail.hint, into: &hints)
            append(detail.details, to: &lines, &hints, indent: indent + "  ")
        }
    }

    private func collect(_ hint: String?, into hints: inout [String]) {
        if let hint, !hints.contains(hint) { hints.append(hint) }
    }
}

extension ExitStatus {
    /// What helps with this kind of trouble, where nobody knows better.
    fileprivate var hint: String {
        switch self {
        case .done, .other: "run it again with --verbose, which says what is done step by step"
        case .usage: "the command's --help says what fits here"
        case .verification: "do not use it; get it again from its publisher, or from another source"
        case .notFound: "check the name, and that it is where the command looks"
        case .conflict: "look at what is there first, then decide what is to stay"
        case .localIO: "check the path, its permissions and the disk, then run the same command again"
        case .network: "try again later, or use another source"
        case .unsupported: "a later version of snpack may know it"
        case .interrupted, .terminated: "run the same command again"
        }
    }
}

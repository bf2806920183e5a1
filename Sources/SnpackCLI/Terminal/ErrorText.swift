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

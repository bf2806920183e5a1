import Diagnostics

/// What is known of the two streams, and what may be written on them.
package final class Terminal: Sendable {
    let output = StandardStream.output
    let error = StandardStream.error
    /// Whether stderr shows colour.
    let hasColour: Bool
    /// Whether stderr is a terminal that can redraw a line.
    let redraws: Bool

    init(environment: Environment, allowsColour: Bool) {
        redraws = error.isTerminal && environment["TERM"] != "dumb"
        hasColour = allowsColour && redraws && environment["NO_COLOR"] == nil
    }

    enum Style: String {
        case error = "\u{1b}[1;31m"
        case warning = "\u{1b}[1;33m"
        case hint = "\u{1b}[36m"
    }

    /// The text in a colour, where there is colour.
    func styled(_ text: String, _ style: Style) -> String {
        hasColour ? "\(style.rawValue)\(text)\u{1b}[0m" : text
    }
}

/// Whether a character moves a terminal's cursor, beyond a tab, or turns the order of what is shown.
private func isUnsafe(_ scalar: Unicode.Scalar) -> Bool { scalar.misleads && scalar != "\t" }

/// The text with all characters but line ends that ``isUnsafe(_:)`` names written as `escape` says.
private func escaping(_ text: String, _ escape: (_ hex: String) -> String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        if isUnsafe(scalar) {
            result += escape(String(scalar.value, radix: 16))
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// A line with its control and bidirectional characters escaped, so that no name from outside moves the cursor.
package func printable(_ line: String) -> String { escaping(line) { "\\u{\($0)}" } }

/// The same for a JSON document on several lines: such characters stand in texts alone, and mean the same escaped.
package func printable(json: [UInt8]) -> [UInt8] {
    String(decoding: json, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .map { line in escaping(String(line)) { "\\u" + String(repeating: "0", count: 4 - $0.count) + $0 } }
        .joined(separator: "\n").utf8.map(\.self)
}

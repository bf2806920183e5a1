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

/// A line with its control and bidirectional characters escaped, so that no name from outside moves the cursor.
package func printable(_ line: String) -> String {
    func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09: false
        case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
    guard line.unicodeScalars.contains(where: isUnsafe) else { return line }
    var result = ""
    for scalar in line.unicodeScalars {
        if isUnsafe(scalar) {
            result += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}

import Diagnostics

/// Faults and warnings as GitHub's runner shows them beside a run: one workflow command a line.
enum GitHubAnnotations {
    static func lines(of finding: Verification.Finding) -> [String] {
        finding.faults.faults.map { line("error", $0) } + finding.warnings.map { line("warning", $0) }
    }

    private static func line(_ level: String, _ error: SnpackError) -> String {
        let place = error.path.map { "\($0): " } ?? ""
        let hint = error.hint.map { "\nhint: \($0)" } ?? ""
        return "::\(level) title=\(property("snpack " + error.code.name))::"
            + message("\(place)\(error.message) [\(error.code)]\(hint)")
    }

    /// As the runner undoes it: `%`, CR and LF.
    static func message(_ text: String) -> String { escaped(text) { $0 == "%" || $0 == "\r" || $0 == "\n" } }

    /// Within a property, which also ends at `:` and `,`.
    static func property(_ text: String) -> String {
        escaped(text) { $0 == "%" || $0 == "\r" || $0 == "\n" || $0 == ":" || $0 == "," }
    }

    private static func escaped(_ text: String, _ isSpecial: (Unicode.Scalar) -> Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if isSpecial(scalar) {
                let hex = String(scalar.value, radix: 16, uppercase: true)
                result += "%" + (hex.count < 2 ? "0" : "") + hex
            } else if scalar.properties.generalCategory == .control {
                result += "\u{FFFD}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

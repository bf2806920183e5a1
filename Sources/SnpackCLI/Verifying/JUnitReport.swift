import Diagnostics

/// A verification as JUnit XML: one test case that passes, or one that fails for each fault.
enum JUnitReport {
    static func text(of finding: Verification.Finding, target: String) -> String {
        let count = max(1, finding.faults.faults.count)
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuite name=\"snpack verify\" tests=\"\(count)\" failures=\"\(finding.faults.faults.count)\">",
        ]
        for fault in finding.faults.faults {
            lines.append(
                "  <testcase classname=\"\(escaped(target))\" name=\"\(escaped(fault.path ?? fault.code.name))\">")
            lines.append("    <failure type=\"\(fault.code)\" message=\"\(escaped(fault.message))\"/>")
            lines.append("  </testcase>")
        }
        if finding.faults.isEmpty {
            lines.append("  <testcase classname=\"\(escaped(target))\" name=\"\(escaped(finding.summary))\"/>")
        }
        return (lines + ["</testsuite>", ""]).joined(separator: "\n")
    }

    /// Text for an attribute: markup escaped, and what XML cannot hold replaced.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// The line that shows how far a stretch of work is: label, bar, bytes, rate, time left, as far as they are known and
/// the terminal is wide enough.
package struct ProgressLine {
    package let label: String
    package let total: UInt64?
    package let done: UInt64
    package let seconds: Double

    package init(label: String, total: UInt64?, done: UInt64, seconds: Double) {
        self.label = label
        self.total = total
        self.done = done
        self.seconds = seconds
    }

    /// At most `width` columns.
    package func text(width: Int) -> String {
        let rate = seconds > 0 ? Double(done) / seconds : 0
        var parts = [byteText(done)]
        if let total, total > 0 {
            let share = min(1, Double(done) / Double(total))
            parts = ["\(bar(share)) \(Int(share * 100)) %", "\(byteText(done)) of \(byteText(total))"]
        }
        if (1..<1e18).contains(rate) {
            parts.append(byteText(UInt64(rate)) + "/s")
            if let total, done < total { parts.append(durationText(Double(total - done) / rate) + " left") }
        }
        var line = printable(label)
        for part in parts {
            guard line.count + 2 + part.count <= width else { break }
            line += "  " + part
        }
        return String(line.prefix(width))
    }

    private func bar(_ share: Double) -> String {
        let cells = 20
        let full = Int(share * Double(cells))
        return "[" + String(repeating: "#", count: full) + String(repeating: ".", count: cells - full) + "]"
    }
}

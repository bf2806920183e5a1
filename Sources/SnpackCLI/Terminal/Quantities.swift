/// A byte count for people, in decimal units: `512 B`, `1.5 MB`.
package func byteText(_ count: UInt64) -> String {
    guard count >= 1_000 else { return "\(count) B" }
    var (value, unit) = (Double(count), 0)
    let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]
    while value >= 999.5, unit + 1 < units.count {
        value /= 1_000
        unit += 1
    }
    return value < 9.95 ? "\(oneDecimal(value)) \(units[unit])" : "\(UInt64(value.rounded())) \(units[unit])"
}

/// A span for people: `8 s`, `3 min 20 s`, `2 h 5 min`.
package func durationText(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 360_000 else { return "long" }
    let whole = Int(seconds.rounded(.up))
    switch whole {
    case ..<60: return "\(whole) s"
    case ..<3_600: return "\(whole / 60) min \(whole % 60) s"
    default: return "\(whole / 3_600) h \(whole % 3_600 / 60) min"
    }
}

private func oneDecimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
}

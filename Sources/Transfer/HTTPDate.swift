/// `Sun, 06 Nov 1994 08:49:37 GMT`, the one form of date that RFC 9110 lets a server write.
struct HTTPDate: Hashable {
    /// Seconds since 1970-01-01T00:00:00Z.
    let seconds: Int64

    init?(parsing text: String) {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 6, words[0].utf8.count == 4, words[0].hasSuffix(","), words[5] == "GMT",
            let day = Self.number(words[1], digits: 2), (1...31).contains(day),
            let month = months.firstIndex(of: String(words[2])), let year = Self.number(words[3], digits: 4)
        else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = Self.number(clock[0], digits: 2), hour < 24,
            let minute = Self.number(clock[1], digits: 2), minute < 60,
            let second = Self.number(clock[2], digits: 2), second <= 60
        else { return nil }
        // Days from civil: count years from March, so that the leap day is a year's last.
        let monthFromMarch = (Int64(month) + 10) % 12
        let marchYear = month < 2 ? year - 1 : year
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let days = 365 * marchYear + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
        seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    }

    private static func number(_ text: Substring, digits: Int) -> Int64? {
        text.utf8.count == digits ? HTTPNumber.parse(text).map(Int64.init(clamping:)) : nil
    }
}

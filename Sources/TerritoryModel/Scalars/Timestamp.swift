public import Diagnostics

/// A moment in UTC, in whole seconds of the years 0000 to 9999. Leap seconds do not exist here.
public struct Timestamp: Hashable, Sendable, CustomStringConvertible {
    /// Seconds since 1970-01-01T00:00:00Z.
    public let secondsSince1970: Int64

    /// The moment this many seconds after 1970-01-01T00:00:00Z; seconds beyond the years 0000 to 9999 give the nearest
    /// moment within.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = min(max(secondsSince1970, Self.range.lowerBound), Self.range.upperBound)
    }

    /// Parses RFC 3339: `2026-11-28T20:21:02Z`, with any offset. A fraction of a second is read and dropped.
    ///
    /// - Throws: `timestamp.invalid` for another notation, lowercase letters, a date or time that does not exist, and
    ///   second 60.
    public init(parsing text: String) throws(SnpackError) {
        guard let seconds = Self.seconds(in: Array(text.utf8.prefix(Self.characterLimit + 1))),
            Self.range.contains(seconds)
        else {
            throw SnpackError(
                .timestampInvalid, "\(quoted(text)) is not a date and time of RFC 3339",
                hint: "write it as 2026-11-28T20:21:02Z")
        }
        secondsSince1970 = seconds
    }

    /// The canonical text, `2026-11-28T20:21:02Z`.
    public var description: String {
        let (day, second) = secondsSince1970.flooredQuotientAndRemainder(by: 86_400)
        let date = CalendarDate(daysSince1970: day)
        func padded(_ value: Int64, _ width: Int = 2) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(date.year, 4))-\(padded(date.month))-\(padded(date.day))"
            + "T\(padded(second / 3_600)):\(padded(second / 60 % 60)):\(padded(second % 60))Z"
    }

    private static let range: ClosedRange<Int64> = -62_167_219_200...253_402_300_799
    /// Longer texts are refused unread; no one needs more than 40 digits of a second.
    private static let characterLimit = 64

    private static func seconds(in bytes: [UInt8]) -> Int64? {
        guard bytes.count <= characterLimit else { return nil }
        var rest = bytes[...]
        func number(_ digitCount: Int) -> Int64? {
            guard rest.count >= digitCount, rest.prefix(digitCount).allSatisfy(isASCIIDigit) else { return nil }
            defer { rest = rest.dropFirst(digitCount) }
            return rest.prefix(digitCount).reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
        func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2), take("T"),
            let hour = number(2), take(":"), let minute = number(2), take(":"), let second = number(2),
            let date = CalendarDate(year: year, month: month, day: day), hour < 24, minute < 60, second < 60
        else { return nil }
        if take(".") {
            let fraction = rest.prefix(while: isASCIIDigit)
            guard !fraction.isEmpty else { return nil }
            rest = rest[fraction.endIndex...]
        }
        var offset: Int64 = 0
        if !take("Z") {
            let sign: Int64 = take("+") ? 1 : -1
            guard sign == 1 || take("-"), let hours = number(2), take(":"), let minutes = number(2), hours < 24,
                minutes < 60
            else { return nil }
            offset = sign * (hours * 3_600 + minutes * 60)
        }
        guard rest.isEmpty else { return nil }
        return date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second - offset
    }
}

extension Timestamp: Comparable {
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.secondsSince1970 < right.secondsSince1970 }
}

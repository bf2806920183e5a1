package import Diagnostics

/// A place in degrees, as `LAT,LON` gives it.
package struct CoordinateArgument: Equatable, Sendable {
    package let latitude: Double
    package let longitude: Double
}

/// Edges in degrees, as `W,S,E,N` gives them. West may lie east of east: such a box crosses the antimeridian.
package struct BoxArgument: Equatable, Sendable {
    package let west: Double
    package let south: Double
    package let east: Double
    package let north: Double
}

extension ParsedArguments {
    /// A whole number in plain digits.
    package func unsignedInteger(
        _ name: String, in range: ClosedRange<UInt64> = 0...UInt64.max
    ) throws(SnpackError) -> UInt64? {
        guard let text = value(name) else { return nil }
        guard let number = digits(text[...]), range.contains(number) else {
            let bounds =
                range.upperBound == .max ? "from \(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
            throw invalid(text, name, "a whole number \(bounds)")
        }
        return number
    }

    /// A span such as `30d`, `12h`, `45m` or `90s`, at most 36,500 days.
    package func duration(_ name: String) throws(SnpackError) -> Duration? {
        guard let text = value(name) else { return nil }
        let units: [Character: UInt64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let count = digits(text.dropLast()) else {
            throw invalid(text, name, "a time such as 30d, 12h, 45m or 90s")
        }
        let (seconds, overflows) = count.multipliedReportingOverflow(by: unit)
        guard !overflows, seconds <= 36_500 * 86_400 else { throw invalid(text, name, "a time up to 36500d") }
        return .seconds(Int64(seconds))
    }

    /// A size such as `512`, `64KiB` or `10MB`: a whole number, and a decimal or binary unit.
    package func byteCount(_ name: String) throws(SnpackError) -> UInt64? {
        guard let text = value(name) else { return nil }
        let units: [String: UInt64] = [
            "": 1, "B": 1, "kB": 1_000, "KB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
            "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
        ]
        let number = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = digits(number), let unit = units[String(text.dropFirst(number.count))],
            case let (bytes, overflows) = count.multipliedReportingOverflow(by: unit), !overflows
        else { throw invalid(text, name, "a size such as 500MB or 4GiB") }
        return bytes
    }

    /// A place, latitude first.
    package func coordinate(_ name: String) throws(SnpackError) -> CoordinateArgument? {
        guard let text = value(name) else { return nil }
        let degrees = decimals(text)
        guard degrees.count == 2, (-90...90).contains(degrees[0]), (-180...180).contains(degrees[1]) else {
            throw invalid(text, name, "latitude and longitude in degrees, as in 47.14,9.52")
        }
        return CoordinateArgument(latitude: degrees[0], longitude: degrees[1])
    }

    /// A box by its edges: west, south, east, north.
    package func box(_ name: String) throws(SnpackError) -> BoxArgument? {
        guard let text = value(name) else { return nil }
        let degrees = decimals(text)
        guard degrees.count == 4, (-180...180).contains(degrees[0]), (-90...90).contains(degrees[1]),
            (-180...180).contains(degrees[2]), (-90...90).contains(degrees[3])
        else { throw invalid(text, name, "west, south, east and north in degrees, as in 9.47,47.05,9.64,47.27") }
        guard degrees[1] < degrees[3] else { throw invalid(text, name, "a box whose south lies below its north") }
        return BoxArgument(west: degrees[0], south: degrees[1], east: degrees[2], north: degrees[3])
    }

    /// `KEY=VALUE` pairs, in the order given; neither side is empty.
    package func pairs(_ name: String) throws(SnpackError) -> [(key: String, value: String)] {
        var result: [(key: String, value: String)] = []
        for text in values(name) {
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, text.first != "=" else { throw invalid(text, name, "of the form KEY=VALUE") }
            result.append((String(parts[0]), String(parts[1])))
        }
        return result
    }

    /// The error for a value that is not what its option takes.
    package func invalid(_ text: String, _ name: String, _ wanted: String) -> SnpackError {
        SnpackError(.usageInvalidValue, "\(quoted(text)) is no value of \(label(name))", hint: "it must be \(wanted)")
    }

    private func digits(_ text: Substring) -> UInt64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt64(text)
    }

    /// Decimal numbers parted by commas; empty if one of them is none. `Double` alone would take `nan` and `0x1p3`.
    private func decimals(_ text: String) -> [Double] {
        var result: [Double] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let unsigned = part.utf8.first == UInt8(ascii: "-") ? part.dropFirst() : part
            let halves = unsigned.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard unsigned.utf8.count <= 32, halves.allSatisfy({ digitsOnly($0) }), let number = Double(part) else {
                return []
            }
            result.append(number)
        }
        return result
    }

    private func digitsOnly(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

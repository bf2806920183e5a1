/// One request as it came in.
public struct ScriptedRequest: Sendable, CustomStringConvertible {
    /// 0 for the first request that the server got.
    public let number: Int
    /// 0 for the first connection that the server got.
    public let connection: Int
    /// `GET` or `HEAD`.
    public let method: String
    /// Path and query as they were sent, not decoded.
    public let target: String
    /// Names as they were sent, in order.
    public let headers: [(name: String, value: String)]

    /// The target without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }

    /// The first header of this name, whatever its case.
    public subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The one range of `Range: bytes=a-b` as `a..<b+1`; nil without the header or in another form.
    public var range: Range<Int>? {
        guard let text = self["Range"], text.hasPrefix("bytes=") else { return nil }
        let bounds = text.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Int(bounds[0]), let last = Int(bounds[1]), 0 <= first, first <= last
        else { return nil }
        return first..<last + 1
    }

    /// Method, target and range, for failed expectations.
    public var description: String { "\(method) \(target)" + (self["Range"].map { " (\($0))" } ?? "") }

    /// Parses a head without its closing blank line.
    init?(head: [UInt8], number: Int, connection: Int) {
        let lines = String(decoding: head, as: UTF8.self).replacing("\r\n", with: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false)
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3 else { return nil }
        method = String(words[0])
        target = String(words[1])
        headers = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (String(line[..<colon]), String(value))
        }
        self.number = number
        self.connection = connection
    }
}

package import Diagnostics

/// Gathers the lines of a head as libcurl hands them over; starts afresh at each status line (100, 103, then 200).
package struct ResponseHead {
    /// Of all heads of one exchange together.
    static let byteLimit = 64 << 10
    static let fieldLimit = 256

    private var status = 0
    private var fields: [HTTPResponse.Field] = []
    private var byteCount = 0
    /// Set by the blank line of the final head; what follows are trailers.
    private(set) var isComplete = false

    package init() {}

    /// Takes one line with its line end; returns the response at the final head's blank line.
    package mutating func take(_ line: UnsafeRawBufferPointer, from url: HTTPURL) throws(SnpackError) -> HTTPResponse? {
        byteCount += line.count
        guard byteCount <= Self.byteLimit, fields.count <= Self.fieldLimit else {
            throw Self.tooLarge(url)
        }
        guard !isComplete else { return nil }
        var text = line[...]
        while let last = text.last, last == 0x0D || last == 0x0A { text.removeLast() }
        if text.starts(with: "HTTP/".utf8) {
            let digits = text.drop { $0 != 0x20 }.dropFirst().prefix(3)
            status = HTTPNumber.parse(String(decoding: digits, as: UTF8.self)).map { Int($0) } ?? 0
            fields = []
        } else if !text.isEmpty {
            if let field = Self.field(text) { fields.append(field) }
        } else if !(100..<200).contains(status) {
            isComplete = true
            return HTTPResponse(status: status, url: url, fields: fields)
        }
        return nil
    }

    static func tooLarge(_ url: HTTPURL) -> SnpackError {
        SnpackError(
            .transferHeadTooLarge, "the answer's head is over \(byteLimit / 1_024) KiB or \(fieldLimit) headers",
            hint: "tell who runs the server", path: url.description)
    }

    private static func field(_ line: Slice<UnsafeRawBufferPointer>) -> HTTPResponse.Field? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = String(decoding: line[..<colon], as: UTF8.self)
        let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
        return HTTPResponse.Field(name, value.trimmingSpaces)
    }
}

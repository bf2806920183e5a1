import Diagnostics

/// Walks the `name: value` lines of a key file in their order. Values of secret lines leave only as ``SecretBytes``.
struct KeyFileLines {
    /// What stands after the magic in the first line.
    let version: String
    private let lines: [Slice<UnsafeBufferPointer<UInt8>>]
    private var next = 1

    init(_ file: UnsafeBufferPointer<UInt8>) throws(SnpackError) {
        guard file.count <= KeyFile.maxByteCount else { throw Self.malformed("it is longer than 4,096 bytes") }
        guard file.starts(with: KeyFile.magic.utf8) else { throw Self.somethingElse(file) }
        var lines = file.split(separator: 0x0A, omittingEmptySubsequences: false).map(Self.withoutBlanksAtEnd)
        while lines.last?.isEmpty == true { lines.removeLast() }
        self.lines = lines
        version = String(decoding: lines.first?.dropFirst(KeyFile.magic.utf8.count) ?? file[..<0], as: UTF8.self)
    }

    /// True if the next line is `name: …`.
    func nextIs(_ name: String) -> Bool {
        next < lines.count && lines[next].starts(with: "\(name): ".utf8)
    }

    /// The next line's value, a public one.
    mutating func text(_ name: String) throws(SnpackError) -> String {
        String(decoding: try value(name), as: UTF8.self)
    }

    /// The next line's value, decimal without sign or leading zero.
    mutating func integer(_ name: String) throws(SnpackError) -> Int {
        let text = try text(name)
        guard let value = Int(text), String(value) == text else { throw Self.malformed("its \(name) is no number") }
        return value
    }

    /// The next line's value, strict base64 of `count` bytes.
    mutating func bytes(_ name: String, count: Int) throws(SnpackError) -> [UInt8] {
        guard let bytes = Base64.decode(try value(name), count: count) else { throw Self.notBase64(name, count) }
        return bytes
    }

    /// The same for bytes that must not lie in ordinary memory.
    mutating func secret(_ name: String, count: Int) throws(SnpackError) -> SecretBytes {
        let value = try value(name)
        return try SecretBytes(count: count) { target throws(SnpackError) in
            guard value.count == Base64.textCount(count), Base64.decode(value, into: target) else {
                throw Self.notBase64(name, count)
            }
        }
    }

    /// Throws unless every line was asked for.
    func end() throws(SnpackError) {
        guard next == lines.count else { throw Self.malformed("it goes on after line \(next)") }
    }

    private mutating func value(_ name: String) throws(SnpackError) -> UnsafeBufferPointer<UInt8> {
        guard nextIs(name) else { throw Self.malformed("line \(next + 1) is not its \(name)") }
        defer { next += 1 }
        return UnsafeBufferPointer(rebasing: lines[next].dropFirst(name.utf8.count + 2))
    }

    private static func withoutBlanksAtEnd(
        _ line: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Slice<UnsafeBufferPointer<UInt8>> {
        let end = line.lastIndex { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
        return line[..<(end.map { $0 + 1 } ?? line.startIndex)]
    }

    static func malformed(_ why: String) -> SnpackError {
        SnpackError(
            .keyFileMalformed, "not a key file that snpack wrote: \(why)", hint: "restore it from a backup")
    }

    private static func notBase64(_ name: String, _ count: Int) -> SnpackError {
        malformed("its \(name) is not strict base64 of \(count) bytes")
    }

    /// Names what a person gives by mistake. Nothing of the file is quoted, for it may be another secret.
    private static func somethingElse(_ file: UnsafeBufferPointer<UInt8>) -> SnpackError {
        if file.starts(with: "-----BEGIN ".utf8) {
            return SnpackError(
                .keyFileMalformed, "this is a PEM file, not a key file of snpack",
                hint: "snpack key import FILE.pem --role factory --out keys/factory")
        }
        if withoutBlanksAtEnd(file.split(separator: 0x0A).first ?? file[..<0]).count == 2 * PublicKey.byteCount {
            return SnpackError(
                .keyFileMalformed, "this looks like a .pub file, which holds no secret key",
                hint: "give the .key file beside it")
        }
        return SnpackError(
            .keyFileMalformed, "not a key file: it does not begin with \(quoted(KeyFile.magic))",
            hint: "give the .key file that snpack keygen wrote")
    }
}

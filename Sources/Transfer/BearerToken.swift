package import Diagnostics

/// An API key, sent as `Authorization: Bearer …` to one origin and to no other. No message ever shows it.
package struct BearerToken: Sendable, CustomStringConvertible, CustomReflectable {
    package let origin: HTTPURL.Origin
    let secret: String

    /// Takes the content of a key file: one token as RFC 6750 writes it, white space around it passed over.
    package init(decoding bytes: [UInt8], for origin: HTTPURL.Origin) throws(SnpackError) {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        var token = bytes[...].drop(while: isSpace)
        while let last = token.last, isSpace(last) { token.removeLast() }
        let body = token.prefix { $0 != UInt8(ascii: "=") }
        guard (1...4_096).contains(token.count), !body.isEmpty,
            token[body.endIndex...].allSatisfy({ $0 == UInt8(ascii: "=") }),
            body.allSatisfy({ byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-._~+/".utf8.contains(byte)
            })
        else {
            throw SnpackError(
                .apiKeyInvalid, "the API key is not one word of letters, digits and -._~+/=",
                hint: "put the key alone into the file that --api-key-file names")
        }
        self.origin = origin
        secret = String(decoding: token, as: UTF8.self)
    }

    package var description: String { "an API key for \(origin)" }
    package var customMirror: Mirror { Mirror(self, children: ["origin": origin]) }
}

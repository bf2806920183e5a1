public import Diagnostics
import Signing
import TerritoryModel

/// `index.signed`: the signature lines, each with its newline, then the index's exact bytes. One file, so never torn.
public struct SignedIndexFile: Hashable, Sendable {
    /// What `index.json.sig` holds.
    public let signature: [UInt8]
    /// What `index.json` holds.
    public let index: [UInt8]

    /// The most bytes that the file may have.
    public static let limit = Limits.indexBytes + SignatureText.maxByteCount

    /// Puts the two parts of a pair together.
    public init(index: [UInt8], signature: [UInt8]) {
        self.index = index
        self.signature = signature
    }

    /// Takes the file apart at the first line that begins with `{`. Proves nothing.
    ///
    /// - Throws: `index.signed-malformed` when no line does, or more comes before it than signatures may take.
    public init(decoding bytes: [UInt8]) throws(SnpackError) {
        func malformed(_ reason: String) -> SnpackError {
            SnpackError(.indexSignedMalformed, "not an index.signed: \(reason)", hint: "fetch it again")
        }
        var start = 0
        while start < bytes.count, bytes[start] != UInt8(ascii: "{") {
            guard start <= SignatureText.maxByteCount, let end = bytes[start...].firstIndex(of: 0x0A) else {
                throw malformed("it does not begin with signature lines")
            }
            start = end + 1
        }
        guard start <= SignatureText.maxByteCount else { throw malformed("its signature lines are too long") }
        guard start > 0 else { throw malformed("it has no signature lines") }
        guard start < bytes.count else { throw malformed("no index follows its signature lines") }
        var signature = Array(bytes[..<start])
        while signature.last == 0x0A { signature.removeLast() }
        self.init(index: Array(bytes[start...]), signature: signature)
    }

    /// The file's bytes.
    package var encoded: [UInt8] { signature + [0x0A] + index }
}

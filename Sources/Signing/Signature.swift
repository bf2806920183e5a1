package import Diagnostics

/// One ed25519 signature: 64 bytes, R then S.
package struct Signature: Hashable, Sendable, CustomStringConvertible {
    package static let byteCount = 64
    /// The length as base64, 88.
    package static let textCount = 88

    package let bytes: [UInt8]

    /// Nil unless there are 64 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads exactly 88 characters of strict base64; nil for anything else.
    package init?(base64 text: some Collection<UInt8>) {
        let bytes = Array(text).withUnsafeBufferPointer { Base64.decode($0, count: Self.byteCount) }
        guard let bytes else { return nil }
        self.bytes = bytes
    }

    package var base64: String { Base64.encode(bytes) }
    package var description: String { base64 }
}

/// What a `.sig` file holds: 1 to 4 signatures over the same bytes, more than one only while keys are rotated.
package struct SignatureText: Hashable, Sendable {
    package static let maxByteCount = 1_024
    package static let maxLineCount = 4

    /// 1 to 4, in the file's order.
    package let signatures: [Signature]

    /// One signature, the normal case.
    package init(_ signature: Signature) { signatures = [signature] }

    /// Several signatures while keys are rotated; throws `signature.malformed` unless 1 to 4.
    package init(_ signatures: [Signature]) throws(SnpackError) {
        guard (1...Self.maxLineCount).contains(signatures.count) else {
            throw Self.malformed("it has \(signatures.count) signatures, and 1 to 4 may be")
        }
        self.signatures = signatures
    }

    /// Reads a signature file. Space, tab, CR and LF around lines are passed over, and lines of nothing else;
    /// any other departure throws `signature.malformed`.
    package init(decoding file: [UInt8]) throws(SnpackError) {
        guard file.count <= Self.maxByteCount else { throw Self.malformed("it is longer than 1,024 bytes") }
        var signatures: [Signature] = []
        for (index, line) in file.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            let text = line.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
            if text.isEmpty { continue }
            guard let signature = Signature(base64: text) else {
                throw Self.malformed("line \(index + 1) is not 88 characters of strict base64")
            }
            signatures.append(signature)
        }
        try self.init(signatures)
    }

    /// What a writer puts into a `.sig` file: the lines with one LF between them, none at the end.
    package var fileBytes: [UInt8] { Array(signatures.map(\.base64).joined(separator: "\n").utf8) }

    private static func malformed(_ why: String) -> SnpackError {
        SnpackError(.signatureMalformed, "not a signature file: \(why)", hint: "fetch it again or sign again")
    }
}

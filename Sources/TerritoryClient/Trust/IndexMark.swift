import Diagnostics
package import Hashing
import Signing
package import TerritoryModel
package import TerritoryPackage

/// What a store never goes below: the last index that it accepted from a channel.
package struct IndexMark: Hashable, Sendable {
    /// The id of the key that signed it.
    package let keyID: String
    package let sequence: UInt64
    /// Of the index's exact bytes.
    package let blake3: Blake3Digest
    /// For messages alone.
    package let publishedAt: Timestamp

    package init(of index: Verified<ChannelIndex>) {
        keyID = index.signer.keyID
        sequence = index.document.sequence
        blake3 = index.blake3
        publishedAt = index.document.publishedAt
    }

    private static let type = "snpack-index-mark"

    package var encoded: [UInt8] {
        let json: JSONValue = [
            "type": .string(Self.type), "format": 1, "key_id": .string(keyID),
            "sequence": .number(JSONNumber(sequence)), "blake3": .string(blake3.hex),
            "published_at": .string(publishedAt.description),
        ]
        return json.canonicalBytes
    }

    /// Nil for anything that is no whole mark: an empty file, zeros, half a document.
    package init?(decoding bytes: [UInt8]) {
        guard let json = (try? StrictJSON.parse(bytes))?.objectValue, json["type"] == .string(Self.type),
            json["format"] == 1, let keyID = json["key_id"]?.stringValue, keyID.utf8.count == 16,
            let sequence = json["sequence"]?.numberValue?.unsignedInteger, Limits.sequence.contains(sequence),
            let blake3 = json["blake3"]?.stringValue.flatMap({ try? Blake3Digest(parsing: $0) }),
            let publishedAt = json["published_at"]?.stringValue.flatMap({ try? Timestamp(parsing: $0) })
        else { return nil }
        self.keyID = keyID
        self.sequence = sequence
        self.blake3 = blake3
        self.publishedAt = publishedAt
    }
}

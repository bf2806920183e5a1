import Diagnostics
import DurableFiles
import Signing
import TerritoryModel
import TerritoryPackage

/// An index that was kept from an earlier look at a channel.
enum VerifiedIndexFile {
    /// Reads an `index.signed`, or an `index.json` with its `.sig` beside it, and verifies it.
    static func read(_ path: String, keys: PinnedKeys) throws(SnpackError) -> ChannelIndex {
        let bytes = try OpenFile(reading: path).allBytes(limit: SignedIndexFile.limit)
        do throws(SnpackError) {
            let file: SignedIndexFile
            if bytes.first == UInt8(ascii: "{") {
                let signature = try OpenFile(reading: path + ".sig").allBytes(limit: SignatureText.maxByteCount)
                file = SignedIndexFile(index: bytes, signature: signature)
            } else {
                file = try SignedIndexFile(decoding: bytes)
            }
            return try keys.verifyIndex(file.index, signature: file.signature).document
        } catch { throw error.at(path) }
    }
}

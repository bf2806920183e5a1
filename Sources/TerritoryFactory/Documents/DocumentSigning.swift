package import Diagnostics
import DurableFiles
package import Signing
package import TerritoryModel
package import TerritoryPackage

/// A document that may be signed: well-formed, and known for what it is.
package enum SignableDocument: Sendable {
    case manifest(Manifest)
    case index(ChannelIndex)

    /// Reads a document by its `type`.
    package init(decoding bytes: [UInt8]) throws(SnpackError) {
        guard bytes.count <= Limits.indexBytes else {
            throw SnpackError(.documentTooLarge, "\(bytes.count) bytes are more than any document may have")
        }
        switch try StrictJSON.parse(bytes).objectValue?["type"]?.stringValue {
        case "territory-manifest": self = .manifest(try Manifest(decoding: bytes))
        case "channel-index": self = .index(try ChannelIndex(decoding: bytes))
        default:
            throw SnpackError(.notSignable, "neither a territory manifest nor a channel index: nothing else is signed")
        }
    }

    /// The role that may sign it; nil for an index that none may.
    package var role: KeyRole? {
        switch self {
        case .manifest(let manifest): manifest.territoryID.isRegion ? .region : .factory
        case .index(let index): index.isRegionIndex ? .region : index.isCountryIndex ? .factory : nil
        }
    }
}

extension DocumentSigner {
    /// The signature file of a document, whose role this key must have.
    ///
    /// - Throws: `key.wrong-role` before anything is signed.
    package func signatureFile(of bytes: [UInt8]) throws(SnpackError) -> [UInt8] {
        try signatureFile(of: bytes, being: SignableDocument(decoding: bytes))
    }

    /// The same for bytes that were just made of a document.
    package func signatureFile(of bytes: [UInt8], being document: SignableDocument) throws(SnpackError) -> [UInt8] {
        try checkRole(of: document)
        let signature = try sign(bytes)
        guard publicKey.verifies(signature, bytes) else {
            throw SnpackError(.signerFailed, "the signature does not verify with key \(publicKey.keyID)")
        }
        return SignatureText(signature).fileBytes
    }

    /// Throws `signer.wrong-role` unless the document is for this key's role to sign.
    package func checkRole(of document: SignableDocument) throws(SnpackError) {
        guard document.role != role else { return }
        throw SnpackError(
            .signerWrongRole, "a \(role) key does not sign this document",
            hint: "a factory key signs countries, a region key signs region- territories")
    }

    /// The keys with which to check what this key has signed.
    package func pinned() throws(SnpackError) -> PinnedKeys {
        switch role {
        case .factory: try PinnedKeys(factory: [FactoryKey(publicKey)])
        case .region: try PinnedKeys(factory: [], region: [RegionKey(publicKey)])
        }
    }
}

public import Diagnostics
public import Hashing
public import Signing
public import TerritoryModel

/// A document whose exact bytes a pinned key signed. Only verification makes one.
public struct Verified<Document: Sendable>: Sendable {
    /// What the bytes say.
    public let document: Document
    /// The bytes as they were received and signed.
    public let bytes: [UInt8]
    /// The signature file that verified them.
    public let signature: [UInt8]
    /// BLAKE3 of ``bytes``.
    public let blake3: Blake3Digest
    /// The key that signed.
    public let signer: PublicKey

    fileprivate init(_ document: Document, bytes: [UInt8], signature: [UInt8], signer: PublicKey) {
        self.document = document
        self.bytes = bytes
        self.signature = signature
        self.signer = signer
        blake3 = .of(bytes)
    }
}

/// What a manifest is verified for.
public enum ManifestUse: Sendable {
    /// To be installed or served: current keys only.
    case new
    /// It is installed already: retired keys do too.
    case installed
}

extension PinnedKeys {
    /// Verifies a manifest: size, signature, role, then the content.
    ///
    /// - Throws: `document.too-large`, `signature.malformed`, `signature.not-trusted`, `trust.wrong-role`, and what
    ///   decoding the manifest throws.
    public func verifyManifest(
        _ bytes: [UInt8], signature: [UInt8], for use: ManifestUse = .new
    ) throws(SnpackError) -> Verified<Manifest> {
        let signer = try signer(
            of: bytes, signature: signature, limit: Limits.manifestBytes, what: "manifest",
            allowRetired: use == .installed)
        let manifest = try Manifest(decoding: bytes)
        if let role = signer.role, role != (manifest.territoryID.isRegion ? .region : .factory) {
            throw wrongRole(role, "the manifest of \(manifest.territoryID)")
        }
        return Verified(manifest, bytes: bytes, signature: signature, signer: signer.key)
    }

    /// Verifies an index: size, signature, role, then the content.
    ///
    /// A region key signs an index of exactly one territory, a region whose id is the channel's name; a factory key signs
    /// every other index, which has no region in it and no name like one.
    ///
    /// - Throws: `document.too-large`, `signature.malformed`, `signature.not-trusted`, `trust.wrong-role`, and what
    ///   decoding the index throws.
    public func verifyIndex(_ bytes: [UInt8], signature: [UInt8]) throws(SnpackError) -> Verified<ChannelIndex> {
        let signer = try signer(
            of: bytes, signature: signature, limit: Limits.indexBytes, what: "index", allowRetired: false)
        let index = try ChannelIndex(decoding: bytes)
        guard let role = signer.role, index.fits(role) else {
            throw wrongRole(signer.role ?? .factory, "the index of channel \(quoted(index.channel.rawValue))")
        }
        return Verified(index, bytes: bytes, signature: signature, signer: signer.key)
    }

    private func signer(
        of bytes: [UInt8], signature: [UInt8], limit: Int, what: String, allowRetired: Bool
    ) throws(SnpackError) -> (key: PublicKey, role: KeyRole?) {
        guard bytes.count <= limit else {
            throw SnpackError(.documentTooLarge, "an \(what) has at most \(limit) bytes; this has \(bytes.count)")
        }
        guard let signer = signer(of: bytes, try SignatureText(decoding: signature)) else {
            throw SnpackError(
                .signatureNotTrusted, "no pinned key signed this \(what)",
                hint: "check the key that you trust, and that the file arrived whole")
        }
        guard allowRetired || signer.role != nil else {
            throw SnpackError(
                .signatureNotTrusted, "the retired key \(signer.key.keyID) signed this \(what)",
                hint: "a retired key verifies only what is installed already")
        }
        return signer
    }

    private func wrongRole(_ role: KeyRole, _ what: String) -> SnpackError {
        SnpackError(
            .wrongRole, "a \(role) key signed \(what), which is not for that role to sign",
            hint: "a factory key signs countries, a region key signs region- territories")
    }
}

extension ChannelIndex {
    /// Whether a key of `role` may sign this index.
    package func fits(_ role: KeyRole) -> Bool { role == .region ? isRegionIndex : isCountryIndex }
}

package import Diagnostics
package import DurableFiles
import Hashing
import Signing
package import TerritoryFactory
import TerritoryModel
import TerritoryPackage

/// A document on disk that is to be signed: a release's manifest, a manifest alone, or a staged index.
package struct DocumentFile {
    /// The document's own path.
    package let path: String
    private let directory: Directory
    private let name: String
    private let bytes: [UInt8]
    private let document: SignableDocument
    /// The whole release, where `path` named one: its blobs are proven before it is signed.
    private let release: Release?

    package init(at path: String, disk: any Disk = SystemDisk()) throws(SnpackError) {
        guard let identity = FileIdentity.at(path) else {
            throw SnpackError(.sourceNotFound, "there is no such file or directory", path: path)
        }
        if identity.kind == .directory {
            directory = try Directory.open(path, disk: disk)
            name = PackageFile.manifest
            release = try Release(directory, signed: false)
        } else {
            (directory, name) = try Directory.parent(of: path, disk: disk)
            release = nil
        }
        self.path = directory.path(of: name)
        bytes = try directory.contents(of: name, limit: Limits.indexBytes)
        do throws(SnpackError) { document = try SignableDocument(decoding: bytes) } catch { throw error.at(self.path) }
    }

    /// Throws unless the signer's role is the document's and, of a release, every blob is what the manifest says.
    func checkSignable(by signer: any DocumentSigner, context: WorkContext) throws(SnpackError) {
        do throws(SnpackError) { try signer.checkRole(of: document) } catch { throw error.at(path) }
        guard let release, case .manifest(let manifest) = document else { return }
        context.report.begin(
            "checking \(manifest.name)", byteCount: manifest.layers.reduce(0) { $0 &+ $1.blob.tarByteCount })
        defer { context.report.end() }
        try PackageProof(depth: .deep, context: context).faults(of: release, manifest)
            .throwIfAny("\(manifest.name) is not what its manifest says")
    }

    /// Writes the signature beside the document, whole or not at all.
    ///
    /// - Parameter adding: keeps the signatures of other keys that are there, for the time of a change of keys.
    /// - Throws: `signature.malformed` if those cannot be read, or there are four of them already.
    package func sign(with signer: any DocumentSigner, adding: Bool = false) throws(SnpackError) {
        try directory.removeLeftovers()
        let signatureName = name + ".sig"
        var file = try signer.signatureFile(of: bytes)
        if adding, try directory.contains(signatureName) {
            let there = try directory.contents(of: signatureName, limit: SignatureText.maxByteCount)
            do throws(SnpackError) {
                let others = try SignatureText(decoding: there).signatures
                    .filter { !signer.publicKey.verifies($0, bytes) }
                file = try SignatureText(others + SignatureText(decoding: file).signatures).fileBytes
            } catch { throw error.at(directory.path(of: signatureName)) }
        }
        try directory.write(file, to: signatureName)
    }

    /// What signing this index changes, against the live one of the channel that it is staged in.
    var changes: [String] {
        guard case .index(let index) = document else { return [] }
        return IndexChanges.lines(from: liveIndex, to: index)
    }

    private var liveIndex: ChannelIndex? {
        // DIR/.snpack/staged/index.json
        guard let channel = try? Directory.open(directory.path(of: "../..")),
            let file = try? ChannelDirectory(channel).signedIndex()
        else { return nil }
        return try? ChannelIndex(decoding: file.index)
    }
}

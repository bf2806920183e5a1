import Blobs
import Diagnostics
import DurableFiles
import TerritoryModel
import TerritoryPackage

/// One installed version, opened: its manifest verified, its directory claimed against removal while this value lives.
struct InstalledPackage: Sendable {
    let slot: SlotName
    let manifest: Verified<Manifest>
    let package: PackageDirectory
    /// Kinds that were left out, whether this version has them or not.
    let omitted: Set<LayerKind>
    /// False when the record was no record; then nothing counts as left out.
    let hasRecord: Bool
    private let lease: DirectoryLease

    /// - Throws: `file.not-found` when the slot is not there or is just being removed.
    init(_ slot: SlotName, in territory: Directory, keys: PinnedKeys) throws(SnpackError) {
        guard let lease = try DirectoryLease(on: slot.description, in: territory) else {
            throw SnpackError(.fileNotFound, "it is being removed", path: territory.path(of: slot.description))
        }
        let directory = lease.directory
        let package = try PackageDirectory(directory.directory(StoreName.package))
        do throws(SnpackError) {
            manifest = try keys.verifyManifest(
                package.manifestBytes, signature: package.signatureBytes, for: .installed)
        } catch { throw error.at(package.directory.path(of: PackageFile.manifest)) }
        let record = (try? directory.contents(of: StoreName.record, limit: 1 << 16))
            .flatMap(InstallRecord.init(decoding:))
        self.slot = slot
        self.package = package
        self.lease = lease
        omitted = record?.omitted ?? []
        hasRecord = record != nil
    }

    var document: Manifest { manifest.document }
    /// Where the package directory lies now.
    var path: String { package.directory.path }

    /// The layers that this install holds.
    var layers: [Manifest.Layer] { document.layers.filter { !omitted.contains($0.kind) } }

    func notes(of layer: Manifest.Layer) -> LayerNotes? {
        (try? lease.directory.directory(StoreName.layers)).flatMap { LayerNotes(of: layer, in: $0) }
    }

    /// The layer of this install whose content is that of `layer`, name of a single file included.
    func layer(like layer: Manifest.Layer) -> Manifest.Layer? {
        layers.first {
            $0.blake3 == layer.blake3 && $0.isTree == layer.isTree && $0.byteCount == layer.byteCount
                && (layer.isTree || $0.path == layer.path)
        }
    }
}

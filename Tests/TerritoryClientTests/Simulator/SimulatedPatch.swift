import Blobs
import Diagnostics
import DurableFiles
import Foundation
import Hashing
import SnpackTestSupport
import TerritoryModel
import Testing

/// A patch in memory, and what its layer's manifest says of it.
struct SimulatedPatch: Sendable {
    let patch: Manifest.Patch
    let bytes: [UInt8]

    /// The patch that the factory would make.
    init(from old: SimulatedLayer, to new: SimulatedLayer) throws {
        let name = new.layer.path
        (patch, bytes) = try ProjectFiles.inTemporaryDirectory { home in
            let file = try StagedFile(in: Directory.open(home.path))
            let patch = try #require(
                try PatchWriter().write(
                    from: BlobTarStream(MemoryFile(old.blob), layer: old.layer, name: name),
                    to: BlobTarStream(MemoryFile(new.blob), layer: new.layer, name: name), of: new.layer, into: file,
                    context: WorkContext()))
            try file.commit(as: "patch", replacing: true)
            return (patch, try Array(Data(contentsOf: home.appending(path: "patch"))))
        }
    }

    /// Any bytes, signed as a patch from `old`.
    init(from old: SimulatedLayer, bytes: [UInt8]) throws {
        self.bytes = bytes
        let name = try #require(bytes.indices.last { bytes[$0...].starts(with: "SNPT".utf8) })
        patch = try Manifest.Patch(
            from: old.layer.blake3, byteCount: UInt64(bytes.count), blake3: .of(bytes),
            oldTarByteCount: old.layer.blob.tarByteCount, tableByteCount: UInt64(bytes.count - name + 8))
    }
}

extension SimulatedLayer {
    /// The same layer with these patches beside its blob.
    func with(_ patches: [SimulatedPatch]) throws -> SimulatedLayer {
        let layer = try Manifest.Layer(
            kind: layer.kind, path: layer.path, isTree: layer.isTree, fileCount: layer.fileCount,
            byteCount: layer.byteCount, blake3: layer.blake3, blob: layer.blob, patches: patches.map(\.patch))
        return SimulatedLayer(layer, blob: blob, patches: patches)
    }

    func patched(from old: SimulatedLayer) throws -> SimulatedLayer { try with([SimulatedPatch(from: old, to: self)]) }
}

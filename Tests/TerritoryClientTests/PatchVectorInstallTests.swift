import Blobs
import Diagnostics
import DurableFiles
import Foundation
import Hashing
import SnpackTestSupport
import TerritoryClient
import TerritoryModel
import Testing

/// `Vectors/patches.json` through a store: its old layer is installed, then updated.
@Suite struct PatchVectorInstallTests {
    private struct Vectors: Decodable {
        struct Bad: Decodable {
            let name: String
            let patch: String
        }
        let old: [VectorLayer.File]
        let new_blake3: String
        let new_tar_bytes: UInt64
        let patch: String
        let bad: [Bad]
    }

    private static let vectors = try? JSONDecoder().decode(
        Vectors.self, from: Data(contentsOf: ProjectFiles.vectors.appending(path: "patches.json")))
    private static let badCount = vectors?.bad.count ?? 0

    private func bytes(_ base64: String) throws -> [UInt8] { Array(try #require(Data(base64Encoded: base64))) }

    /// Installs the old layer, publishes the new one with a patch of these bytes, and updates.
    private func update(
        by patchBytes: [UInt8], _ vectors: Vectors
    ) async throws -> (result: ChannelInstallResult, patch: UInt64)? {
        try await ProjectFiles.inTemporaryDirectory { home in
            var scene = try Scene(home: home)
            let old = try SimulatedLayer("extra", path: "layer", files: vectors.old.map { ($0.path, $0.bytes) })
            let new = try newLayer(from: old, vectors)
            #expect(new.layer.blake3.hex == vectors.new_blake3)
            // A manifest can't even say what the worst of them are; then no client meets them.
            guard let patch = try? SimulatedPatch(from: old, bytes: patchBytes) else { return nil }
            let releases = [
                try scene.release("1.0.0", layers: [old]), try scene.release("1.1.0", layers: [new.with([patch])]),
            ]
            try scene.channel.publish([releases[0]], scene.facts, signer: scene.secret.factory)
            _ = try await scene.store().sync(scene.territory(), from: scene.channel)
            scene.facts.sequence += 1
            try scene.channel.publish(releases, scene.facts, signer: scene.secret.factory)
            let outcome = try await scene.store().sync(scene.territory(), from: scene.channel).outcome
            guard case .updated(let result) = outcome else { throw ChannelSimulator.lost }
            #expect(try await scene.unsoundness(expecting: "1.1.0") == [])
            return (result, UInt64(patchBytes.count))
        }
    }

    /// The new layer with a blob of ours; the vectors have none.
    private func newLayer(from old: SimulatedLayer, _ vectors: Vectors) throws -> SimulatedLayer {
        let bytes = try bytes(vectors.patch)
        let (path, byteCount) = (old.layer.path, UInt64(1_505_908))
        let described = try Manifest.Layer(
            kind: old.layer.kind, path: path, isTree: true, fileCount: 3, byteCount: byteCount,
            blake3: Blake3Digest(parsing: vectors.new_blake3),
            blob: Manifest.Blob(
                of: path, fileCount: 3, layerByteCount: byteCount, byteCount: 10_000, blake3: .of([]),
                tarByteCount: vectors.new_tar_bytes, tableByteCount: 96, tableBlake3: .of([])))
        let files = FileSink()
        try PatchReader(
            MemoryFile(bytes), patch: SimulatedPatch(from: old, bytes: bytes).patch, of: described
        ).read(
            from: BlobTarStream(MemoryFile(old.blob), layer: old.layer, name: path), into: files,
            context: WorkContext())
        return try SimulatedLayer("extra", path: "layer", files: files.files)
    }

    @Test func goodPatchIsTaken() async throws {
        let vectors = try #require(Self.vectors)
        let (result, byteCount) = try #require(try await update(by: bytes(vectors.patch), vectors))
        #expect(result.layersPatched == 1 && result.bytesDownloaded == byteCount)
    }

    @Test(arguments: 0..<badCount)
    func badPatchIsNoUse(_ index: Int) async throws {
        let vectors = try #require(Self.vectors)
        guard let (result, _) = try await update(by: bytes(vectors.bad[index].patch), vectors) else { return }
        #expect(result.layersPatched == 0 && result.layersFetched == 1, "\(vectors.bad[index].name)")
    }
}

private final class FileSink: LayerSink {
    private(set) var files: [(String, [UInt8])] = []

    func beginFile(path: String, byteCount: UInt64) { files.append((path, [])) }
    func write(_ piece: UnsafeRawBufferPointer) { files[files.count - 1].1 += piece }
    func endFile() {}
    func finish() {}
}

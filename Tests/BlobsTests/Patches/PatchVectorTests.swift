import Blobs
import Diagnostics
import DurableFiles
import Foundation
import Hashing
import SnpackTestSupport
import TerritoryModel
import Testing

/// `Vectors/patches.json`: an old layer, a patch with all three ops, the new layer's address; bad patches.
struct PatchVectors: Decodable {
    struct Bad: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let patch: String
        var testDescription: String { name }
    }

    let old: [VectorLayer.File]
    let old_blake3: String
    let old_tar_bytes: UInt64
    let new_blake3: String
    let new_tar_bytes: UInt64
    let patch: String
    let table_bytes: UInt64
    let bad: [Bad]

    static func read() throws -> PatchVectors {
        try JSONDecoder().decode(
            PatchVectors.self, from: Data(contentsOf: ProjectFiles.vectors.appending(path: "patches.json")))
    }
    static let bad = (try? read().bad) ?? []

    static func bytes(_ base64: String) throws -> [UInt8] { Array(try #require(Data(base64Encoded: base64))) }

    func writeOld(below directory: URL) throws -> PatchSide {
        for file in old { try Data(file.bytes).write(to: directory.appending(path: file.path)) }
        return try PatchSide(directory.path)
    }

    /// The new layer. The vectors say its address and length only; what else a manifest would say comes from the files.
    func newLayer(fileCount: UInt64, byteCount: UInt64) throws -> Manifest.Layer {
        try PatchSide.layer(
            isTree: true, blake3: Blake3Digest(parsing: new_blake3), fileCount: fileCount, byteCount: byteCount,
            name: "layer", tarByteCount: new_tar_bytes, blobByteCount: new_tar_bytes)
    }

    func signed(_ bytes: [UInt8]) throws -> Manifest.Patch {
        let at = try #require(bytes.indices.last { bytes[$0...].starts(with: "SNPT".utf8) })
        return try Manifest.Patch(
            from: Blake3Digest(parsing: old_blake3), byteCount: UInt64(bytes.count), blake3: .of(bytes),
            oldTarByteCount: old_tar_bytes, tableByteCount: UInt64(bytes.count - at + 8))
    }
}

@Suite struct PatchVectorTests {
    @Test func vectorsAreThere() { #expect(PatchVectors.bad.count >= 12) }

    @Test(arguments: [1, 2, 8])
    func appliesTheGoodPatch(jobs: Int) throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let vectors = try PatchVectors.read()
            let old = try vectors.writeOld(below: directory)
            #expect(old.layer.blake3.hex == vectors.old_blake3)
            #expect(old.files.byteCount == vectors.old_tar_bytes)
            let bytes = try PatchVectors.bytes(vectors.patch)
            let patch = try vectors.signed(bytes)
            #expect(patch.tableByteCount == vectors.table_bytes)
            let files = CollectedFiles()
            let layer = try vectors.newLayer(fileCount: 3, byteCount: Self.newByteCount)
            try PatchReader(MemoryFile(bytes), patch: patch, of: layer).read(
                from: old.files, into: files, context: WorkContext(jobs: jobs))
            #expect(files.isFinished)
            #expect(files.files.count == 3)
        }
    }

    /// Content of the new layer's files.
    private static let newByteCount: UInt64 = 1_505_908

    @Test(arguments: PatchVectors.bad)
    func refusesABadPatch(_ bad: PatchVectors.Bad) throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let vectors = try PatchVectors.read()
            let old = try vectors.writeOld(below: directory)
            let bytes = try PatchVectors.bytes(bad.patch)
            let layer = try vectors.newLayer(fileCount: 3, byteCount: Self.newByteCount)
            let files = CollectedFiles()
            let error = #expect(throws: SnpackError.self) {
                try PatchReader(MemoryFile(bytes), patch: vectors.signed(bytes), of: layer).read(
                    from: old.files, into: files, context: WorkContext(jobs: 2))
            }
            // A patch without steps is refused with the manifest that describes it.
            #expect(
                ["patch.table-invalid", "patch.frame-invalid", "manifest.malformed"].contains(error?.code.description))
            #expect(!files.isFinished)
        }
    }
}

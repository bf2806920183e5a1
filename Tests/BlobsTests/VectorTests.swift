import Blobs
import Diagnostics
import DurableFiles
import Foundation
import Hashing
import SnpackTestSupport
import Testing

@Suite struct LayerVectors {
    @Test func vectorsAreThere() { #expect(VectorLayer.all.count >= 10) }

    @Test(arguments: VectorLayer.all)
    func streamChunksAndAddressAreTheVectors(_ layer: VectorLayer) throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let path = try layer.write(below: directory.appending(path: "layer"))
            var faults = FaultList()
            let tree = try FileTree(listing: path, faults: &faults)
            #expect(faults.isEmpty)
            let stream = try FileTarStream(tree, name: layer.files[0].path)
            var cutter = stream.cutter()
            var lengths: [Int] = []
            var hasher = Blake3Hasher()
            while let count = cutter.next() {
                hasher.update(try stream.bytes(at: UInt64(lengths.reduce(0, +)), count: count))
                lengths.append(count)
            }
            #expect(lengths == layer.chunks)
            #expect(lengths.reduce(0, +) == Int(layer.tar_bytes))
            #expect(hasher.finalize().hex == layer.tar_blake3)
            let content = try digest(of: tree, name: layer.files[0].path, context: WorkContext())
            #expect(content.blake3.hex == layer.blake3)
            #expect(content.fileCount == UInt64(layer.files.count))
        }
    }
}

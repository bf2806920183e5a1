package import Diagnostics
import DurableFiles
package import Hashing
import TerritoryModel

/// Which chunks of each blob a look at random takes. All follows from the seed, so that a finding can be had again.
package struct ChunkSample: Hashable, Sendable {
    /// How many chunks of each blob, 1 or more.
    package let count: Int
    package let seed: UInt64

    package init(count: Int, seed: UInt64) {
        self.count = max(1, count)
        self.seed = seed
    }

    /// `count` different chunks of `chunkCount`, ascending; they differ from blob to blob.
    package func indices(of chunkCount: Int, in blob: Blake3Digest) -> [Int] {
        guard count < chunkCount else { return Array(0..<max(0, chunkCount)) }
        var state = blob.bytes.prefix(8).reduce(seed) { ($0 << 8 | $0 >> 56) ^ UInt64($1) }
        var chosen: Set<Int> = []
        while chosen.count < count {
            // SplitMix64.
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            chosen.insert(Int((mixed ^ (mixed >> 31)) % UInt64(chunkCount)))
        }
        return chosen.sorted()
    }
}

extension BlobReader {
    /// Proves the chunk table and, by it, some chunks; nothing else of the blob is read.
    package func prove(_ sample: ChunkSample, cancel: CancelToken) throws(SnpackError) {
        let table = try table()
        var offsets: [UInt64] = [0]
        for chunk in table.chunks { offsets.append((offsets.last ?? 0) + UInt64(chunk.frameByteCount)) }
        for index in sample.indices(of: table.chunks.count, in: layer.blob.blake3) {
            try cancel.check()
            let chunk = table.chunks[index]
            let frame = try blob.bytes(at: offsets[index], count: Int(chunk.frameByteCount))
            do throws(SnpackError) { _ = try decoder.chunk(of: frame, as: chunk, index: index) } catch {
                throw error.at(blob.name)
            }
        }
    }
}

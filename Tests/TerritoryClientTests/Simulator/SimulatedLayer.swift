import Blobs
import Diagnostics
import Hashing
import TerritoryModel

/// A layer in memory: its files, and the blob that carries them, made by the format's rules.
struct SimulatedLayer: Sendable {
    let layer: Manifest.Layer
    let blob: [UInt8]
    var patches: [SimulatedPatch] = []

    init(_ layer: Manifest.Layer, blob: [UInt8], patches: [SimulatedPatch] = []) {
        self.layer = layer
        self.blob = blob
        self.patches = patches
    }

    /// - Parameters:
    ///   - files: by path; ascending order is made here.
    ///   - isTree: false for a layer of one file, which is named by `path`.
    init(
        _ kind: String, path: String, isTree: Bool = true, files: [(String, [UInt8])],
        requires: [String: String] = [:], claimedBlake3: Blake3Digest? = nil
    ) throws {
        let files = files.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
        var stream: [UInt8] = []
        var listing = Blake3Hasher()
        let entries = files.map { TarEntry(path: isTree ? $0.0 : path, byteCount: UInt64($0.1.count)) }
        for (entry, file) in zip(entries, files) {
            stream += entry.headers + file.1 + [UInt8](repeating: 0, count: entry.paddingByteCount)
            listing.update(LayerDigester.line(.of(file.1), path: file.0))
        }
        stream += [UInt8](repeating: 0, count: TarEntry.endByteCount)
        let digest = isTree ? listing.finalize() : Blake3Digest.of(files[0].1)

        let encoder = FrameEncoder(level: 1)
        var cutter = ChunkCutter(entryCount: entries.count) { entries[$0].unitByteCount }
        var (chunks, frames): ([ChunkTable.Chunk], [UInt8]) = ([], [])
        var offset = 0
        while let count = cutter.next() {
            let chunk = Array(stream[offset..<offset + count])
            let frame = try encoder.frame(of: chunk)
            chunks.append(
                ChunkTable.Chunk(
                    frameByteCount: UInt32(frame.count), contentByteCount: UInt32(count), frameBlake3: .of(frame),
                    contentBlake3: .of(chunk)))
            frames += frame
            offset += count
        }
        let table = ChunkTable(chunks).encoded
        blob = frames + table
        let layerPath = try LayerPath(parsing: path)
        let byteCount = files.reduce(0) { $0 + UInt64($1.1.count) }
        var engines: [EngineName: TerritoryVersion] = [:]
        for (engine, version) in requires {
            engines[try EngineName(parsing: engine)] = try TerritoryVersion(parsing: version)
        }
        layer = try Manifest.Layer(
            kind: LayerKind(parsing: kind), path: layerPath, isTree: isTree, fileCount: UInt64(files.count),
            byteCount: byteCount, blake3: claimedBlake3 ?? digest,
            blob: Manifest.Blob(
                of: layerPath, fileCount: UInt64(files.count), layerByteCount: byteCount,
                byteCount: UInt64(blob.count), blake3: .of(blob), tarByteCount: UInt64(stream.count),
                tableByteCount: UInt64(table.count), tableBlake3: .of(table)),
            requires: EngineRequirements(engines))
    }

    /// Bytes that do not compress, the same for the same seed.
    static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        var words: [UInt64] = []
        words.reserveCapacity(count / 8 + 1)
        for _ in 0...count / 8 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            words.append(state)
        }
        return words.withUnsafeBytes { Array($0.prefix(count)) }
    }
}

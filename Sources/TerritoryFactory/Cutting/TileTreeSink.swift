import Blobs
import Diagnostics
import DurableFiles
import MapLayers
import TerritoryModel

/// Takes a Valhalla tree's files as they stream by, and keeps those whose tile belongs to any of several regions.
final class TileTreeSink: LayerSink {
    /// A region's tiles, as the tree has them: ascending by the bytes of their paths.
    struct Tiles {
        var paths: [String] = []
        var byteCount: UInt64 = 0
    }

    private let footprints: [AreaFootprint]
    /// nil: files are only counted.
    private let writer: LayerWriter?
    private var isWanted = false
    /// What each region gets.
    private(set) var tiles: [Tiles]

    /// - Parameter root: an empty directory for the files; nil only counts.
    init(_ footprints: [AreaFootprint], root: Directory?) {
        self.footprints = footprints
        writer = root.map { LayerWriter(temporaryTreeIn: $0, fileMode: 0o644) }
        tiles = footprints.map { _ in Tiles() }
    }

    func beginFile(path: String, byteCount: UInt64) throws(SnpackError) {
        isWanted = false
        for (index, footprint) in footprints.enumerated() where ValhallaTileID.belongs(path, to: footprint) {
            tiles[index].paths.append(path)
            tiles[index].byteCount += byteCount
            isWanted = true
        }
        if isWanted { try writer?.beginFile(path: path, byteCount: byteCount) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(SnpackError) {
        if isWanted { try writer?.write(bytes) }
    }

    func endFile() throws(SnpackError) {
        if isWanted { try writer?.endFile() }
    }

    func finish() throws(SnpackError) { try writer?.finish() }
}

import Blobs
import Diagnostics
import DurableFiles
import MapLayers
import TerritoryModel

/// Takes a Valhalla tree's files as they stream by, and gives each to the regions that its tile belongs to.
final class TileTreeSink: LayerSink {
    private struct Receiver {
        let footprint: AreaFootprint
        /// nil: files are only counted.
        let writer: LayerWriter?
        var fileCount: UInt64 = 0
        var byteCount: UInt64 = 0
    }

    private var receivers: [Receiver]
    private var current: [Int] = []

    /// - Parameter roots: a directory for each footprint; nil only counts.
    init(_ footprints: [AreaFootprint], roots: [Directory]?) {
        receivers = footprints.enumerated().map { index, footprint in
            Receiver(
                footprint: footprint,
                writer: roots.map { LayerWriter(temporaryTreeIn: $0[index], fileMode: 0o644) })
        }
    }

    /// What each region got.
    var counts: [(fileCount: UInt64, byteCount: UInt64)] { receivers.map { ($0.fileCount, $0.byteCount) } }

    func beginFile(path: String, byteCount: UInt64) throws(SnpackError) {
        current = receivers.indices.filter { ValhallaTileID.belongs(path, to: receivers[$0].footprint) }
        for index in current {
            receivers[index].fileCount += 1
            receivers[index].byteCount += byteCount
            try receivers[index].writer?.beginFile(path: path, byteCount: byteCount)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(SnpackError) {
        for index in current { try receivers[index].writer?.write(bytes) }
    }

    func endFile() throws(SnpackError) {
        for index in current { try receivers[index].writer?.endFile() }
    }

    func finish() throws(SnpackError) {
        for receiver in receivers { try receiver.writer?.finish() }
    }
}

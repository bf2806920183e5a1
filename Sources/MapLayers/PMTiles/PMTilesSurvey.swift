import Diagnostics
import DurableFiles

/// Everything that the directories alone tell of an archive, gathered in one walk over them.
struct PMTilesSurvey: Sendable {
    /// Distinct contents beyond the ones that lie in order are held in memory; more than this is no clustered archive.
    static let repeatLimit = 4_000_000

    private(set) var coverage = (0...TileAddress.zoomLimit).map { TileCoverage(zoom: $0) }
    /// Bytes of the contents first met at each zoom.
    private(set) var byteCounts = [UInt64](repeating: 0, count: TileAddress.zoomLimit + 1)
    private(set) var entryCount: UInt64 = 0
    /// Contents that lie before one met already, ascending by offset: in a clustered archive the shared ones.
    private(set) var repeats: [TileContent] = []
    private var order = ContentOrder()

    /// Walks over all entries; what is wrong with them goes to `faults`.
    /// - Throws: only when the file cannot be read, or the work is cancelled.
    init(
        of archive: PMTilesArchive, context: WorkContext, faults: inout FaultList
    ) throws(SnpackError) {
        var cursor = archive.entries()
        while true {
            do throws(SnpackError) {
                guard let entry = try cursor.next() else { break }
                count(entry)
            } catch {
                // What the disk does is no fault of the archive.
                if error.code.exitStatus == .localIO { throw error }
                faults.add(error)
            }
            if entryCount & 0xFFF == 0 { try context.cancel.check() }
            if repeats.count > 2 * Self.repeatLimit {
                compactRepeats()
                guard repeats.count <= Self.repeatLimit else {
                    faults.add(
                        SnpackError(
                            .pmtilesNotClustered,
                            "more than \(Self.repeatLimit) tile contents lie out of the order of their tiles",
                            hint: "run `pmtiles cluster` on it"))
                    break
                }
            }
        }
        compactRepeats()
    }

    private mutating func count(_ entry: PMTilesEntry) {
        entryCount += 1
        TileBlock.covering(entry.tileID..<entry.endID) { coverage[$0.zoom].add($0) }
        if order.isNext(entry) {
            if let zoom = TileAddress.zoom(ofID: entry.tileID) { byteCounts[zoom] += UInt64(entry.byteCount) }
        } else {
            repeats.append(TileContent(entry))
        }
    }

    private mutating func compactRepeats() {
        repeats.sort { ($0.offset, $0.byteCount, $0.tileID) < ($1.offset, $1.byteCount, $1.tileID) }
        var kept = 0
        for repeated in repeats {
            if kept > 0, repeats[kept - 1].isSameStretch(as: repeated) { continue }
            repeats[kept] = repeated
            kept += 1
        }
        repeats.removeSubrange(kept...)
    }

    /// The zooms that have tiles.
    var zooms: ClosedRange<Int>? {
        let used = coverage.filter { $0.tileCount > 0 }.map(\.zoom)
        guard let first = used.first, let last = used.last else { return nil }
        return first...last
    }

    /// Cannot overflow: runs do not overlap, and there are fewer than 2^63 tile ids.
    var addressedTileCount: UInt64 { coverage.reduce(0) { $0 + $1.tileCount } }
}

/// Where the bytes of a tile lie in the tile data, and one of the tiles they are for.
struct TileContent: Hashable, Sendable {
    let offset: UInt64
    let byteCount: UInt32
    let tileID: UInt64

    init(tileID: UInt64, offset: UInt64, byteCount: UInt32) {
        (self.tileID, self.offset, self.byteCount) = (tileID, offset, byteCount)
    }

    init(_ entry: PMTilesEntry) {
        self.init(tileID: entry.tileID, offset: entry.offset, byteCount: entry.byteCount)
    }

    /// Contents are those of checked entries, which lie within the file.
    var end: UInt64 { offset + UInt64(byteCount) }

    func isSameStretch(as other: TileContent) -> Bool { offset == other.offset && byteCount == other.byteCount }
}

/// Tells contents that lie behind all before them from those that lie further ahead in the file.
struct ContentOrder: Sendable {
    private var end: UInt64 = 0

    mutating func isNext(_ entry: PMTilesEntry) -> Bool {
        guard entry.offset >= end else { return false }
        end = entry.offset + UInt64(entry.byteCount)
        return true
    }
}

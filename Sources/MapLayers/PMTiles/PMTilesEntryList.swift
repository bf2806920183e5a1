/// The directory of an archive in the making: tiles go in with ascending ids, runs and shared contents come out.
///
/// Contents lie in the tile data in the order in which they are first met, which is what *clustered* means.
/// - Parameter Key: tells two contents apart: a digest, or a place in the archive they come from.
package struct PMTilesEntryList<Key: Hashable> {
    package private(set) var entries: [PMTilesEntry] = []
    /// Bytes of all contents so far.
    package private(set) var tileByteCount: UInt64 = 0
    private var contents: [Key: Place] = [:]

    private struct Place {
        let offset: UInt64
        let byteCount: UInt32
    }

    package init() {}

    package var contentCount: Int { contents.count }
    package var addressedTileCount: UInt64 { entries.reduce(0) { $0 + UInt64($1.runLength) } }

    /// Adds a run of tiles that have one content.
    /// - Parameters:
    ///   - ids: all above those added before, and not empty.
    ///   - byteCount: more than 0; ignored when the content is known.
    /// - Returns: true when the content is new: its bytes come next in the tile data.
    package mutating func append(_ ids: Range<UInt64>, content key: Key, byteCount: UInt32) -> Bool {
        precondition(!ids.isEmpty && byteCount > 0 && ids.lowerBound >= entries.last?.endID ?? 0)
        let known = contents[key]
        let place = known ?? Place(offset: tileByteCount, byteCount: byteCount)
        if known == nil {
            contents[key] = place
            tileByteCount += UInt64(byteCount)
        }
        var rest = ids
        if let last = entries.last, last.offset == place.offset, last.endID == ids.lowerBound {
            let room = min(UInt64(UInt32.max - last.runLength), UInt64(rest.count))
            entries[entries.count - 1].runLength += UInt32(room)
            rest = rest.lowerBound + room..<rest.upperBound
        }
        while !rest.isEmpty {
            let run = min(UInt64(UInt32.max), UInt64(rest.count))
            entries.append(
                PMTilesEntry(
                    tileID: rest.lowerBound, offset: place.offset, byteCount: place.byteCount, runLength: UInt32(run)))
            rest = rest.lowerBound + run..<rest.upperBound
        }
        return known == nil
    }
}

package import Diagnostics

/// Hands over an archive's runs of tiles one by one, ascending, with one leaf directory in memory at a time.
///
/// What it hands over is sound: no run meets another, no length is 0, every content lies within the tile data. After
/// an error it may be asked again and goes on behind the entry or leaf that was wrong.
package struct PMTilesEntryCursor {
    private let archive: PMTilesArchive
    private var rootIndex = 0
    private var leaf: [PMTilesEntry] = []
    private var leafIndex = 0
    /// One more than the last tile id so far.
    private var nextID: UInt64 = 0

    init(_ archive: PMTilesArchive) { self.archive = archive }

    /// The next run; nil at the end.
    package mutating func next() throws(SnpackError) -> PMTilesEntry? {
        while true {
            if leafIndex < leaf.count {
                let entry = leaf[leafIndex]
                leafIndex += 1
                return try take(entry)
            }
            guard rootIndex < archive.root.count else { return nil }
            let entry = archive.root[rootIndex]
            rootIndex += 1
            guard entry.isLeaf else { return try take(entry) }
            try checkOrder(entry)
            nextID = entry.tileID
            leaf = try archive.leaf(entry)
            leafIndex = 0
        }
    }

    private mutating func take(_ entry: PMTilesEntry) throws(SnpackError) -> PMTilesEntry {
        defer { nextID = max(nextID, entry.endID) }
        try checkOrder(entry)
        try archive.check(entry)
        return entry
    }

    private func checkOrder(_ entry: PMTilesEntry) throws(SnpackError) {
        guard entry.tileID >= nextID else {
            throw SnpackError(
                .pmtilesEntryOrder,
                "tile id \(entry.tileID) comes where ids from \(nextID) on belong: runs of tiles overlap, or a leaf "
                    + "directory holds tiles of another")
        }
    }
}

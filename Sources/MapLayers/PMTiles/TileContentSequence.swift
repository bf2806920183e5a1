import Diagnostics

/// Every distinct content of an archive once, ascending by where it lies, from a second walk over its directories.
struct TileContentSequence {
    private var cursor: PMTilesEntryCursor
    private var order = ContentOrder()
    private let repeats: [TileContent]
    private var repeatIndex = 0
    private var pending: TileContent?
    private var previous: TileContent?
    private(set) var contentCount: UInt64 = 0
    /// Bytes of the tile data that belong to no tile, up to the last content.
    private(set) var unusedByteCount: UInt64 = 0
    /// The first content that lies neither behind its predecessors nor on one of them.
    private(set) var firstOutOfOrder: TileContent?
    private(set) var faults = FaultList()

    init(of archive: PMTilesArchive, repeats: [TileContent]) {
        cursor = archive.entries()
        self.repeats = repeats
    }

    /// Where the last content ends.
    var end: UInt64 { previous?.end ?? 0 }

    /// The next content; nil at the end. Stretches that overlap are told in ``faults``.
    mutating func next() throws(SnpackError) -> TileContent? {
        while true {
            if pending == nil { pending = try nextInOrder() }
            let content: TileContent
            let isRepeat: Bool
            if repeatIndex < repeats.count, pending.map({ repeats[repeatIndex].offset < $0.offset }) ?? true {
                content = repeats[repeatIndex]
                isRepeat = true
                repeatIndex += 1
            } else if let next = pending {
                content = next
                isRepeat = false
                pending = nil
            } else {
                return nil
            }
            if let previous {
                if content.isSameStretch(as: previous) { continue }
                guard content.offset >= previous.end else {
                    faults.add(
                        SnpackError(
                            .pmtilesEntryOverlap,
                            "the bytes of \(PMTilesArchive.name(content.tileID)) (offset \(content.offset), length "
                                + "\(content.byteCount)) overlap those of \(PMTilesArchive.name(previous.tileID)) "
                                + "(offset \(previous.offset), length \(previous.byteCount))"))
                    continue
                }
            }
            if isRepeat && firstOutOfOrder == nil { firstOutOfOrder = content }
            unusedByteCount += content.offset - end
            previous = content
            contentCount += 1
            return content
        }
    }

    private mutating func nextInOrder() throws(SnpackError) -> TileContent? {
        while true {
            do throws(SnpackError) {
                guard let entry = try cursor.next() else { return nil }
                if order.isNext(entry) { return TileContent(entry) }
            } catch {
                // The survey has told it.
                if error.code.exitStatus == .localIO { throw error }
            }
        }
    }
}

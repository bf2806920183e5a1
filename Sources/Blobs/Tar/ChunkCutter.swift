import TerritoryModel

/// Where a canonical tar stream is cut into chunks: the lengths, one after the other.
///
/// An entry's *unit* (headers, content, padding) joins the open chunk while that stays within 1 MiB; a longer unit is cut
/// into pieces of 1 MiB, the last of which is the next open chunk; the end blocks always join.
package struct ChunkCutter {
    private let entryCount: Int
    private let unitByteCount: (Int) -> UInt64
    private var index = 0
    private var open: UInt64 = 0
    private var rest: UInt64 = 0
    private var isFinished = false

    package init(entryCount: Int, unitByteCount: @escaping (Int) -> UInt64) {
        self.entryCount = entryCount
        self.unitByteCount = unitByteCount
    }

    package mutating func next() -> Int? {
        while true {
            if rest > Limits.chunkTargetBytes {
                rest -= Limits.chunkTargetBytes
                return Int(Limits.chunkTargetBytes)
            }
            if rest > 0 {
                open = rest
                rest = 0
            }
            guard index < entryCount else {
                if isFinished { return nil }
                isFinished = true
                return Int(open) + TarEntry.endByteCount
            }
            let unit = unitByteCount(index)
            if open + unit <= Limits.chunkTargetBytes {
                open += unit
                index += 1
            } else if open > 0 {
                defer { open = 0 }
                return Int(open)
            } else {
                rest = unit
                index += 1
            }
        }
    }
}

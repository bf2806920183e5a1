/// Which tile of Valhalla's grid: a level, and the cell's number, row by row from the south-west corner of the world.
///
/// The edges of the cells are 4°, 1° and 0.25° on the road levels 0, 1 and 2, and 0.25° on the transit level 3.
package struct ValhallaTileID: Hashable, Sendable {
    /// Degrees of a cell's edge, by level.
    package static let edges = [4.0, 1.0, 0.25, 0.25]

    package let level: Int
    /// `row · columns + column`
    package let index: UInt32

    /// Nil for a level or cell that the grid does not have.
    package init?(level: Int, index: UInt32) {
        guard Self.edges.indices.contains(level), index < Self.cellCount(level: level) else { return nil }
        self.level = level
        self.index = index
    }

    /// From a graph id: the lowest 3 bits are the level, the next 22 the cell. Nil if the grid has no such cell.
    package init?(graphID: UInt64) {
        self.init(level: Int(graphID & 7), index: UInt32(graphID >> 3 & 0x3F_FFFF))
    }

    /// From a tile's path in its tree, `2/000/769/709.gph`, and from nothing else.
    package init?(path: some Sequence<UInt8>) {
        var bytes = path.makeIterator()
        guard let first = bytes.next(), let level = Self.digit(first), Self.edges.indices.contains(level) else {
            return nil
        }
        var index: UInt32 = 0
        for _ in 0..<Self.groupCount(level: level) {
            guard bytes.next() == UInt8(ascii: "/") else { return nil }
            for _ in 0..<3 {
                guard let digit = bytes.next().flatMap(Self.digit) else { return nil }
                index = index * 10 + UInt32(digit)
            }
        }
        for byte in ".gph".utf8 {
            guard bytes.next() == byte else { return nil }
        }
        guard bytes.next() == nil else { return nil }
        self.init(level: level, index: index)
    }

    /// Level and cell as the low 25 bits of a graph id hold them.
    package var packed: UInt32 { index << 3 | UInt32(level) }

    /// Where the tile lies in its tree.
    package var path: String {
        let groups = Self.groupCount(level: level)
        let digits = String(index)
        let padded = Array(String(repeating: "0", count: groups * 3 - digits.utf8.count) + digits)
        let segments = stride(from: 0, to: padded.count, by: 3).map { String(padded[$0..<$0 + 3]) }
        return "\(level)/\(segments.joined(separator: "/")).gph"
    }

    package var edge: Double { Self.edges[level] }
    package var column: Int { Int(index) % Self.columnCount(level: level) }
    package var row: Int { Int(index) / Self.columnCount(level: level) }
    /// Degrees of the south-west corner; no cell's corner needs rounding.
    package var west: Double { Double(column) * edge - 180 }
    package var south: Double { Double(row) * edge - 90 }

    package static func columnCount(level: Int) -> Int { Int(360 / edges[level]) }

    private static func cellCount(level: Int) -> Int { columnCount(level: level) * columnCount(level: level) / 2 }
    /// Paths have three digits a segment, as many as the greatest cell's number needs.
    private static func groupCount(level: Int) -> Int { level < 2 ? 2 : 3 }

    private static func digit(_ byte: UInt8) -> Int? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
    }
}

extension ValhallaTileID: Comparable {
    package static func < (left: ValhallaTileID, right: ValhallaTileID) -> Bool {
        (left.level, left.index) < (right.level, right.index)
    }
}

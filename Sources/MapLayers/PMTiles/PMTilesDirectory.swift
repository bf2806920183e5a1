package import Diagnostics

/// One line of a directory: a run of tiles that share one content, or a leaf directory.
package struct PMTilesEntry: Hashable, Sendable {
    /// The first tile of the run, or the first that the leaf may hold.
    package var tileID: UInt64
    /// In the tile data section; for a leaf, in the section of leaf directories.
    package var offset: UInt64
    package var byteCount: UInt32
    /// The number of tiles; 0 for a leaf directory.
    package var runLength: UInt32

    package init(tileID: UInt64, offset: UInt64, byteCount: UInt32, runLength: UInt32) {
        self.tileID = tileID
        self.offset = offset
        self.byteCount = byteCount
        self.runLength = runLength
    }

    package var isLeaf: Bool { runLength == 0 }

    /// One more than the last tile id of the run.
    /// Cannot overflow: a directory is refused when one of its ids is past the last there is.
    package var endID: UInt64 { tileID + UInt64(runLength) }

    /// Where the content ends in its section; nil past the end of all files.
    package var endOffset: UInt64? {
        let (end, overflow) = offset.addingReportingOverflow(UInt64(byteCount))
        return overflow ? nil : end
    }
}

/// A directory's bytes, uncompressed: the count, then all ids, run lengths, lengths and offsets as varints.
package enum PMTilesDirectory {
    /// Longer directories than this, uncompressed, are not read: at 4 bytes or more an entry, 2 million entries.
    package static let byteLimit = 8 << 20

    /// Takes a directory apart. What comes out has ascending, existing tile ids; offsets are not yet checked.
    ///
    /// - Throws: `pmtiles.directory` when the bytes are not exactly one directory, `pmtiles.entry-order` for a tile id
    ///   twice or past the last.
    package static func decode(_ bytes: UnsafeRawBufferPointer) throws(SnpackError) -> [PMTilesEntry] {
        var reader = VarintReader(bytes)
        let claimed = try reader.next()
        // Every entry has four varints of a byte or more.
        guard let count = Int(exactly: claimed), count <= reader.remaining / 4 else {
            throw SnpackError(
                .pmtilesDirectory, "a directory of \(bytes.count) bytes claims \(claimed) entries")
        }
        var entries: [PMTilesEntry] = []
        entries.reserveCapacity(count)
        var id: UInt64 = 0
        for index in 0..<count {
            let step = try reader.next()
            let (sum, overflow) = id.addingReportingOverflow(step)
            guard !overflow, TileAddress.ids.contains(sum), step > 0 || index == 0 else {
                throw SnpackError(.pmtilesEntryOrder, "tile id \(id) is followed by one \(step) higher")
            }
            id = sum
            entries.append(PMTilesEntry(tileID: id, offset: 0, byteCount: 0, runLength: 0))
        }
        for index in entries.indices {
            entries[index].runLength = try reader.nextWord("run length")
            guard TileAddress.ids.upperBound - entries[index].tileID >= UInt64(entries[index].runLength) else {
                throw SnpackError(
                    .pmtilesEntryOrder,
                    "tile id \(entries[index].tileID) with a run of \(entries[index].runLength) passes the last tile")
            }
        }
        for index in entries.indices { entries[index].byteCount = try reader.nextWord("length") }
        for index in entries.indices {
            let value = try reader.next()
            if value > 0 {
                entries[index].offset = value - 1
            } else if index > 0, let end = entries[index - 1].endOffset {
                // 0: right behind the one before.
                entries[index].offset = end
            } else {
                throw SnpackError(.pmtilesDirectory, "tile id \(entries[index].tileID) has no offset")
            }
        }
        guard reader.remaining == 0 else {
            throw SnpackError(.pmtilesDirectory, "\(reader.remaining) bytes follow the directory's \(count) entries")
        }
        return entries
    }

    /// The bytes of a directory of `entries`, whose ids ascend.
    package static func encode(_ entries: some Collection<PMTilesEntry>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(10 + entries.count * 6)
        appendVarint(UInt64(entries.count), to: &bytes)
        var last: UInt64 = 0
        for entry in entries {
            appendVarint(entry.tileID - last, to: &bytes)
            last = entry.tileID
        }
        for entry in entries { appendVarint(UInt64(entry.runLength), to: &bytes) }
        for entry in entries { appendVarint(UInt64(entry.byteCount), to: &bytes) }
        var end: UInt64?
        for entry in entries {
            appendVarint(entry.offset == end ? 0 : entry.offset + 1, to: &bytes)
            end = entry.endOffset
        }
        return bytes
    }

    private static func appendVarint(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

import Compression
package import Diagnostics
package import DurableFiles
package import TerritoryModel

/// A PMTiles v3 archive, open for reading. No length or offset in it is believed before it is checked.
///
/// It holds the root directory; leaves are read when they are needed. May be used by many threads.
package struct PMTilesArchive: Sendable {
    /// Metadata longer than this, uncompressed, is not read.
    package static let metadataLimit = 8 << 20

    package let file: any RandomAccess
    package let header: PMTilesHeader
    package let root: [PMTilesEntry]

    /// Reads the header and the root directory.
    /// - Throws: the faults that make the archive unreadable; others are found as they are met.
    package init(_ file: any RandomAccess) throws(SnpackError) {
        let header = try Self.header(of: file)
        var faults = FaultList()
        for fault in header.structureFaults(fileByteCount: file.byteCount) { faults.add(fault.at(file.name)) }
        try faults.throwIfAny("the PMTiles archive cannot be read")
        try self.init(file, checkedHeader: header)
    }

    /// - Parameter checkedHeader: one that has no structure faults in `file`.
    init(_ file: any RandomAccess, checkedHeader header: PMTilesHeader) throws(SnpackError) {
        self.file = file
        self.header = header
        root = try Self.directory(header.root, in: file, header)
    }

    package static func header(of file: any RandomAccess) throws(SnpackError) -> PMTilesHeader {
        let count = min(file.byteCount, UInt64(PMTilesHeader.byteCount))
        return try PMTilesHeader(decoding: file.bytes(at: 0, count: Int(count)))
    }

    // MARK: Directories

    private static func directory(
        _ section: PMTilesHeader.Section, in file: any RandomAccess, _ header: PMTilesHeader
    ) throws(SnpackError) -> [PMTilesEntry] {
        let bytes = try unpacked(
            section, limit: PMTilesDirectory.byteLimit, fault: .pmtilesDirectory, "a directory", in: file, header)
        return try bytes.withUnsafeBytes { buffer in
            Result { () throws(SnpackError) in try PMTilesDirectory.decode(buffer) }
        }.get()
    }

    /// The leaf directory that an entry of the root points at.
    package func leaf(_ entry: PMTilesEntry) throws(SnpackError) -> [PMTilesEntry] {
        guard entry.byteCount > 0, let end = entry.endOffset, end <= header.leaves.byteCount else {
            throw SnpackError(
                .pmtilesLeafRange,
                "the leaf directory from tile id \(entry.tileID) on (offset \(entry.offset), length "
                    + "\(entry.byteCount)) is not within the \(header.leaves.byteCount) bytes of leaf directories")
        }
        return try Self.directory(
            PMTilesHeader.Section(header.leaves.offset + entry.offset, UInt64(entry.byteCount)), in: file, header)
    }

    /// Walks all entries in the order of their tile ids, leaf by leaf.
    package func entries() -> PMTilesEntryCursor { PMTilesEntryCursor(self) }

    // MARK: Tiles

    /// The entry that holds a tile; nil when the archive does not have it.
    package func entry(of id: UInt64) throws(SnpackError) -> PMTilesEntry? {
        guard var entry = Self.last(in: root, upTo: id) else { return nil }
        if entry.isLeaf {
            guard let inLeaf = Self.last(in: try leaf(entry), upTo: id) else { return nil }
            entry = inLeaf
        }
        guard id < entry.endID || entry.isLeaf else { return nil }
        try check(entry)
        return entry
    }

    /// The stored bytes of an entry's content, at most `limit`.
    package func content(of entry: PMTilesEntry, limit: Int = 32 << 20) throws(SnpackError) -> [UInt8] {
        try check(entry)
        guard Int(entry.byteCount) <= limit else {
            throw SnpackError(
                .pmtilesTileTooLarge, "\(Self.name(entry.tileID)) has \(entry.byteCount) bytes, more than \(limit)")
        }
        return try file.bytes(at: header.tiles.offset + entry.offset, count: Int(entry.byteCount))
    }

    private static func last(in entries: [PMTilesEntry], upTo id: UInt64) -> PMTilesEntry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].tileID <= id { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : entries[low - 1]
    }

    /// Throws unless the entry is a run of tiles whose content lies within the tile data.
    func check(_ entry: PMTilesEntry) throws(SnpackError) {
        guard !entry.isLeaf else {
            throw SnpackError(
                .pmtilesLeafNesting, "a leaf directory points at another one (from tile id \(entry.tileID) on)")
        }
        guard entry.byteCount > 0 else {
            throw SnpackError(
                .pmtilesEntryEmpty, "\(Self.name(entry.tileID)) has length 0 (run of \(entry.runLength))",
                hint: "leave empty tiles out of the archive")
        }
        guard let end = entry.endOffset, end <= header.tiles.byteCount else {
            throw SnpackError(
                .pmtilesEntryRange,
                "\(Self.name(entry.tileID)) (offset \(entry.offset), length \(entry.byteCount)) is not within the "
                    + "\(header.tiles.byteCount) bytes of tile data")
        }
    }

    /// `tile 3/4/2 (id 51)`
    static func name(_ id: UInt64) -> String {
        TileAddress(id: id).map { "tile \($0) (id \(id))" } ?? "tile id \(id)"
    }

    // MARK: Metadata

    /// The metadata document.
    /// - Throws: `pmtiles.metadata` when there is none or it is no JSON object.
    package func metadata() throws(SnpackError) -> JSONObject {
        guard header.metadata.byteCount > 0 else {
            throw SnpackError(
                .pmtilesMetadata, "the archive has no metadata", hint: "the least that is allowed is {}")
        }
        let bytes = try Self.unpacked(
            header.metadata, limit: Self.metadataLimit, fault: .pmtilesMetadata, "the metadata", in: file, header)
        let value: JSONValue
        do { value = try StrictJSON.parse(bytes) } catch {
            throw error.recoded(.pmtilesMetadata, prefix: "the metadata: ")
        }
        guard let object = value.objectValue else {
            throw SnpackError(.pmtilesMetadata, "the metadata is \(value.kind), not an object")
        }
        return object
    }

    // MARK: Internal compression

    private static func unpacked(
        _ section: PMTilesHeader.Section, limit: Int, fault: ErrorCode, _ what: String, in file: any RandomAccess,
        _ header: PMTilesHeader
    ) throws(SnpackError) -> [UInt8] {
        guard let count = Int(exactly: section.byteCount), count <= limit else {
            throw SnpackError(fault, "\(what) of \(section.byteCount) bytes is longer than the \(limit) that are read")
        }
        let stored = try file.bytes(at: section.offset, count: count)
        guard header.internalCompression == .gzip else { return stored }
        do { return try Gunzip().decompress(stored, limit: limit) } catch {
            throw error.recoded(fault, prefix: "\(what): ")
        }
    }
}

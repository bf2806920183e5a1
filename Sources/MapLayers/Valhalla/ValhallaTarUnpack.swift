package import Diagnostics
package import DurableFiles

/// Makes a tile tree from a `tiles.tar`.
package enum ValhallaTarUnpack {
    /// How much was unpacked, and what is worth saying.
    package struct Outcome: Sendable {
        package let tileCount: Int
        package let byteCount: UInt64
        package let warnings: [SnpackError]
    }

    /// Writes the archive's tiles below `directory`, flushed.
    ///
    /// - Parameter directory: an empty directory in the making. When this throws, what is in it is of no use.
    /// - Throws: all faults of the archive: foreign, linked or repeated members, an index that tells other offsets.
    package static func unpack(
        _ tarPath: String, into directory: Directory, context: WorkContext = WorkContext()
    ) throws(SnpackError) -> Outcome {
        let file = try OpenFile(reading: tarPath)
        file.willReadSequentially()
        context.report.begin("unpack \(tarPath)", byteCount: file.byteCount)
        defer { context.report.end() }
        let writer = TileWriter(directory)
        var tar = ValhallaTar(file)
        try tar.read(into: writer, context)
        try tar.faults.throwIfAny("the archive cannot be unpacked")
        guard tar.tileCount > 0 else {
            throw SnpackError(
                .valhallaNoTiles, "there is no Valhalla tile in the archive",
                hint: "make it with valhalla_build_extract", path: tarPath)
        }
        try writer.finish()
        try file.checkUnchanged()
        return Outcome(tileCount: tar.tileCount, byteCount: tar.byteCount, warnings: tar.warnings)
    }

    /// The facts of an archive as if it were unpacked, without writing anything.
    package static func facts(
        of file: any RandomAccess, subset: Bool = false, context: WorkContext = WorkContext()
    ) throws(SnpackError) -> LayerFacts {
        let heads = TileHeads(name: file.name)
        var tar = ValhallaTar(file)
        try tar.read(into: heads, context)
        var facts = try ValhallaCheck.facts(of: heads.source(), subset: subset, context: context)
        facts.faults.add(contentsOf: tar.faults)
        facts.warnings += tar.warnings
        facts.leftOut = ["index.bin"]
        return facts
    }
}

/// Writes tiles to disk. Directories are flushed when the next tile goes elsewhere.
private final class TileWriter: ValhallaTileSink {
    private let root: Directory
    private var parent: (path: Substring, directory: Directory)?
    private var open: (file: StagedFile, name: String)?

    init(_ root: Directory) { self.root = root }

    func begin(_ id: ValhallaTileID, byteCount: UInt64) throws(SnpackError) {
        let path = id.path
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        if parent?.path != path[..<slash] {
            try parent?.directory.sync()
            parent = (path[..<slash], try root.directory(at: path[..<slash], creating: 0o755))
        }
        guard let directory = parent?.directory else { return }
        open = (try StagedFile(in: directory), String(path[path.index(after: slash)...]))
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(SnpackError) { try open?.file.write(bytes) }

    func end() throws(SnpackError) {
        if let open { try open.file.commit(as: open.name, replacing: false) }
        open = nil
    }

    func finish() throws(SnpackError) {
        try parent?.directory.sync()
        try root.sync()
    }
}

/// Keeps the head of each tile: all that its check reads.
private final class TileHeads: ValhallaTileSink {
    private let name: String
    private var tiles: [(id: ValhallaTileID, byteCount: UInt64, head: [UInt8])] = []

    init(name: String) { self.name = name }

    func begin(_ id: ValhallaTileID, byteCount: UInt64) { tiles.append((id, byteCount, [])) }

    func write(_ bytes: UnsafeRawBufferPointer) {
        let last = tiles.count - 1
        let missing = ValhallaTileHeader.byteCount - tiles[last].head.count
        if missing > 0 { tiles[last].head.append(contentsOf: bytes.prefix(missing)) }
    }

    func end() {}

    func source() -> Source {
        var heads: [String: Head] = [:]
        for tile in tiles {
            heads[tile.id.path] = Head(name: tile.id.path, byteCount: tile.byteCount, bytes: tile.head)
        }
        let files = tiles.map { LayerSourceFile(path: $0.id.path, byteCount: $0.byteCount) }
        return Source(
            name: name, heads: heads, files: files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) })
    }

    struct Source: LayerSource {
        let name: String
        let heads: [String: Head]
        let files: [LayerSourceFile]
        var isTree: Bool { true }
        func shownPath(of file: LayerSourceFile) -> String { "\(name)/\(file.path)" }
        func diskPath(of file: LayerSourceFile) -> String? { nil }
        func open(_ file: LayerSourceFile) throws(SnpackError) -> any RandomAccess {
            guard let head = heads[file.path] else {
                throw SnpackError(.valhallaTarMalformed, "there is no member \(quoted(file.path))", path: name)
            }
            return head
        }
    }

    /// A file of which only the first bytes are known.
    struct Head: RandomAccess {
        let name: String
        let byteCount: UInt64
        let bytes: [UInt8]

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SnpackError) {
            try MemoryFile(bytes, name: name).read(into: buffer, at: offset)
        }
    }
}

import Diagnostics
import DurableFiles
import Glibc

/// Takes the tiles out of a `tiles.tar`, one after the other.
protocol ValhallaTileSink {
    func begin(_ id: ValhallaTileID, byteCount: UInt64) throws(SnpackError)
    func write(_ bytes: UnsafeRawBufferPointer) throws(SnpackError)
    func end() throws(SnpackError)
}

/// A `tiles.tar` as `valhalla_build_extract` writes it: `index.bin` first, then the tiles.
///
/// Only regular files at tiles' paths are taken, each once, none larger than the archive; `index.bin` is held against
/// the members, byte for byte at the offsets it tells, and then left out.
struct ValhallaTar {
    private let file: any RandomAccess
    private var index: ValhallaTarIndex?
    private var seen: Set<ValhallaTileID> = []
    private(set) var faults = FaultList()
    private(set) var warnings: [SnpackError] = []
    private(set) var tileCount = 0
    private(set) var byteCount: UInt64 = 0

    init(_ file: any RandomAccess) { self.file = file }

    /// Reads the archive once, from front to back. Faults of its content are collected, those of the disk thrown.
    mutating func read(into sink: any ValhallaTileSink, _ context: WorkContext) throws(SnpackError) {
        do throws(SnpackError) {
            let reader = try TarReader(file)
            var isFirst = true
            while let member = try reader.next() {
                try context.cancel.check()
                try take(member, isFirst: isFirst, from: reader, into: sink, context)
                isFirst = false
            }
        } catch {
            guard error.code == .valhallaTarMalformed else { throw error }
            return faults.add(error)
        }
        for id in index?.unclaimed ?? [] {
            faults.add(ValhallaTarIndex.fault("index.bin tells of \(id.path), which is no member", file.name))
        }
        if index == nil {
            warnings.append(
                SnpackError(
                    .valhallaTarNoIndex, "the archive has no index.bin as its first member",
                    hint: "valhalla_build_extract writes one", path: file.name))
        }
    }

    private mutating func take(
        _ member: TarReader.Member, isFirst: Bool, from reader: TarReader, into sink: any ValhallaTileSink,
        _ context: WorkContext
    ) throws(SnpackError) {
        let path = member.path.starts(with: "./".utf8) ? Array(member.path.dropFirst(2)) : member.path
        if member.kind == .directory { return }
        if path == ValhallaTarIndex.name, member.kind == .file {
            return try takeIndex(member, isFirst: isFirst, from: reader)
        }
        guard member.kind == .file, let id = ValhallaTileID(path: path) else {
            return faults.add(
                SnpackError(
                    .valhallaTarMember,
                    "the member \(quoted(String(decoding: member.path, as: UTF8.self))) is no tile"
                        + (member.kind == .file ? "" : ": a link, device or file with holes"),
                    hint: "an archive of tiles holds regular files such as 2/000/789/877.gph", path: file.name))
        }
        guard seen.insert(id).inserted else {
            return faults.add(
                SnpackError(
                    .valhallaTarDuplicate, "the member \(id.path) is there twice",
                    hint: "something was appended to the archive: run valhalla_build_extract again", path: file.name))
        }
        guard member.byteCount <= file.byteCount, byteCount + member.byteCount <= file.byteCount else {
            throw SnpackError(
                .valhallaTarMalformed, "its members have more bytes than it has itself", path: file.name)
        }
        let entry: ValhallaTarIndex.Entry?
        do throws(SnpackError) {
            entry = try index?.take(id, byteCount: member.byteCount)
        } catch {
            entry = nil
            faults.add(error)
        }
        try copy(member, as: id, entry, from: reader, into: sink)
        context.report.advance(member.byteCount)
    }

    private mutating func takeIndex(
        _ member: TarReader.Member, isFirst: Bool, from reader: TarReader
    ) throws(SnpackError) {
        guard isFirst else {
            return faults.add(
                ValhallaTarIndex.fault("index.bin is not the first member: the engine would not find it", file.name))
        }
        guard member.byteCount <= ValhallaTarIndex.byteLimit else {
            return faults.add(ValhallaTarIndex.fault("index.bin has \(member.byteCount) bytes", file.name))
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(min(member.byteCount, file.byteCount)))
        try reader.forEachBlock(of: member) { (block) throws(SnpackError) in bytes.append(contentsOf: block) }
        do throws(SnpackError) { index = try ValhallaTarIndex(bytes, path: file.name) } catch { faults.add(error) }
    }

    private mutating func copy(
        _ member: TarReader.Member, as id: ValhallaTileID, _ entry: ValhallaTarIndex.Entry?, from reader: TarReader,
        into sink: any ValhallaTileSink
    ) throws(SnpackError) {
        var offset = entry?.offset ?? 0
        var isWhereIndexSays = true
        try sink.begin(id, byteCount: member.byteCount)
        try reader.forEachBlock(of: member) { (block) throws(SnpackError) in
            if entry != nil, isWhereIndexSays {
                isWhereIndexSays = try matches(block, at: offset)
                offset &+= UInt64(block.count)
            }
            try sink.write(block)
        }
        try sink.end()
        tileCount += 1
        byteCount += member.byteCount
        if !isWhereIndexSays {
            faults.add(
                ValhallaTarIndex.fault("the bytes of \(id.path) are not where index.bin says they are", file.name))
        }
    }

    private func matches(_ block: UnsafeRawBufferPointer, at offset: UInt64) throws(SnpackError) -> Bool {
        guard offset <= file.byteCount, UInt64(block.count) <= file.byteCount - offset else { return false }
        let there = try file.bytes(at: offset, count: block.count)
        return there.withUnsafeBytes { there in
            guard let left = there.baseAddress, let right = block.baseAddress else { return true }
            return memcmp(left, right, block.count) == 0
        }
    }
}

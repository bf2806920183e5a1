import Diagnostics
import DurableFiles

/// `index.bin`, the first member of a `tiles.tar`: where each tile's bytes lie in the archive.
///
/// 16 bytes an entry, little-endian: u64 offset, u32 level and cell, u32 size. The engine trusts it blindly, so it must
/// say what the members are.
struct ValhallaTarIndex {
    static let name = Array("index.bin".utf8)
    /// No grid has more cells than this many entries are for.
    static let byteLimit: UInt64 = 48 << 20

    struct Entry {
        let offset: UInt64
        let byteCount: UInt32
    }

    private let path: String
    private var entries: [ValhallaTileID: Entry] = [:]

    init(_ bytes: [UInt8], path: String) throws(SnpackError) {
        self.path = path
        guard bytes.count.isMultiple(of: 16) else {
            throw Self.fault("index.bin has \(bytes.count) bytes, no multiple of 16", path)
        }
        entries.reserveCapacity(bytes.count / 16)
        func word(_ offset: Int, _ count: Int) -> UInt64 {
            bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        for start in stride(from: 0, to: bytes.count, by: 16) {
            guard word(start + 8, 4) < 1 << 25, let id = ValhallaTileID(graphID: word(start + 8, 4)) else {
                throw Self.fault("index.bin has an entry \(start / 16) that is for no tile", path)
            }
            let entry = Entry(offset: word(start, 8), byteCount: UInt32(truncatingIfNeeded: word(start + 12, 4)))
            guard entries.updateValue(entry, forKey: id) == nil else {
                throw Self.fault("index.bin has two entries for \(id.path)", path)
            }
        }
    }

    /// Takes the entry for a member; throws when there is none or it tells another size.
    mutating func take(_ id: ValhallaTileID, byteCount: UInt64) throws(SnpackError) -> Entry {
        guard let entry = entries.removeValue(forKey: id) else {
            throw Self.fault("index.bin has no entry for the member \(id.path)", path)
        }
        guard UInt64(entry.byteCount) == byteCount else {
            throw Self.fault(
                "index.bin says that \(id.path) has \(entry.byteCount) bytes; the member has \(byteCount)", path)
        }
        return entry
    }

    /// The tiles whose entries no member took.
    var unclaimed: [ValhallaTileID] { entries.keys.sorted() }

    static func fault(_ message: String, _ path: String) -> SnpackError {
        SnpackError(
            .valhallaTarIndex, message,
            hint: "the archive was changed after it was made: run valhalla_build_extract again", path: path)
    }
}

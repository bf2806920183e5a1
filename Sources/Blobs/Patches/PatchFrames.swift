import Compression
import Diagnostics
import DurableFiles
import Parallel
import TerritoryModel

/// Makes the steps of one part of a plan from the two streams.
struct PatchFrames: Sendable {
    /// Steps and their frames, in order.
    struct Made: Sendable {
        let step: PatchTable.Step
        let frame: [UInt8]
    }

    /// Up to this reach the level is as asked for. Beyond, long-distance matching finds what counts, and the tables of
    /// the higher levels would only take memory.
    private static let fullLevelReach = 4 << 20
    private static let farLevel = 6

    let old: any TarStream
    let new: any TarStream
    let level: Int
    private let compressors = ResourcePool { () throws(SnpackError) in try ZstdCompressor() }

    init(old: any TarStream, new: any TarStream, level: Int) {
        self.old = old
        self.new = new
        self.level = level
    }

    /// - Parameter part: at most 8 MiB of the new stream.
    func steps(for part: PatchPlan.Part) throws(SnpackError) -> [Made] {
        let bytes = try new.bytes(at: part.new.lowerBound, count: part.new.count)
        switch part.source {
        case .copy(let oldOffset):
            let isEqual = try old.bytes(at: oldOffset, count: bytes.count) == bytes
            return isEqual ? [copy(oldOffset, bytes.count)] : [try plain(bytes[...])]
        case .frame(let window, let before, let after):
            var made: [Made] = []
            var rest = bytes[...]
            if let before {
                let count = try equalByteCount(rest, from: before)
                if count > 0 { made.append(copy(before, count)) }
                rest = rest.dropFirst(count)
            }
            let tail = if let after { try equalByteCount(rest, upTo: after) } else { 0 }
            rest = rest.dropLast(tail)
            if !rest.isEmpty { made.append(try frame(rest, window: window)) }
            if let after, tail > 0 { made.append(copy(after - UInt64(tail), tail)) }
            return made
        }
    }

    private func copy(_ oldOffset: UInt64, _ count: Int) -> Made {
        Made(step: .copy(oldOffset: oldOffset, byteCount: UInt32(count)), frame: [])
    }

    // MARK: - Drawing out copies

    private static let comparedByteCount = 16 << 10

    /// How many bytes at the start of `bytes` equal the old ones from `offset` on.
    private func equalByteCount(_ bytes: ArraySlice<UInt8>, from offset: UInt64) throws(SnpackError) -> Int {
        var done = 0
        while done < bytes.count {
            let start = offset + UInt64(done)
            let count = Int(
                min(UInt64(min(Self.comparedByteCount, bytes.count - done)), old.byteCount - min(start, old.byteCount)))
            let there = try old.bytes(at: start, count: count)
            let equal = zip(there, bytes.dropFirst(done)).prefix { $0 == $1 }.count
            done += equal
            if equal < Self.comparedByteCount { break }
        }
        return done
    }

    /// How many bytes at the end of `bytes` equal the old ones before `offset`.
    private func equalByteCount(_ bytes: ArraySlice<UInt8>, upTo offset: UInt64) throws(SnpackError) -> Int {
        var done = 0
        while done < bytes.count {
            let end = offset - UInt64(done)
            let count = Int(min(UInt64(min(Self.comparedByteCount, bytes.count - done)), end))
            let there = try old.bytes(at: end - UInt64(count), count: count)
            let equal = zip(there.reversed(), bytes.dropLast(done).reversed()).prefix { $0 == $1 }.count
            done += equal
            if equal < Self.comparedByteCount { break }
        }
        return done
    }

    // MARK: - Frames

    /// The smaller of a frame against the window and one without.
    private func frame(_ bytes: ArraySlice<UInt8>, window: Range<UInt64>?) throws(SnpackError) -> Made {
        guard let window, !window.isEmpty else { return try plain(bytes) }
        let prefix = try old.bytes(at: window.lowerBound, count: window.count)
        let content = Array(bytes)
        let level = prefix.count + content.count <= Self.fullLevelReach ? level : min(level, Self.farLevel)
        let frame = try compressors.with { compressor throws(SnpackError) in
            try prefix.withBytes { prefix throws(SnpackError) in
                try content.withBytes { bytes throws(SnpackError) in
                    try compressor.frame(of: bytes, prefix: prefix, level: level)
                }
            }
        }
        // A window that helps little is no help: reading it costs more than it saves.
        if frame.count * 20 > content.count * 19 {
            let plain = try plain(bytes)
            if plain.frame.count <= frame.count { return plain }
        }
        return Made(
            step: .patch(
                frameByteCount: UInt32(frame.count), oldOffset: window.lowerBound, oldByteCount: UInt32(window.count),
                newByteCount: UInt32(bytes.count)), frame: frame)
    }

    private func plain(_ bytes: ArraySlice<UInt8>) throws(SnpackError) -> Made {
        let frame = try compressors.with { compressor throws(SnpackError) in
            try Array(bytes).withBytes { bytes throws(SnpackError) in try compressor.frame(of: bytes, level: level) }
        }
        return Made(
            step: .plain(frameByteCount: UInt32(frame.count), newByteCount: UInt32(bytes.count)), frame: frame)
    }
}

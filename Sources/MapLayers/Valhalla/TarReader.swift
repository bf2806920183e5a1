import CArchive
import Diagnostics
import DurableFiles
import Glibc

/// Reads a plain tar archive from front to back: libarchive's one home.
///
/// Member names are handed over as the bytes that stand in the archive, so no locale is needed.
final class TarReader {
    struct Member {
        enum Kind { case file, directory, other }
        let path: [UInt8]
        let kind: Kind
        let byteCount: UInt64
    }

    private let handle: OpaquePointer
    /// Held while the handle may call it.
    private let feed: Feed

    init(_ file: any RandomAccess) throws(SnpackError) {
        feed = Feed(file)
        guard let handle = archive_read_new() else {
            throw SnpackError(.valhallaTarMalformed, "no memory to read it", path: file.name)
        }
        self.handle = handle
        try check(archive_read_support_filter_none(handle))
        try check(archive_read_support_format_tar(handle))
        let client = Unmanaged.passUnretained(feed).toOpaque()
        try check(
            archive_read_open2(
                handle, client, nil,
                { _, client, start in
                    guard let client, let start else { return la_ssize_t(ARCHIVE_FATAL) }
                    return Unmanaged<Feed>.fromOpaque(client).takeUnretainedValue().read(start)
                },
                { _, client, count in
                    guard let client else { return 0 }
                    return Unmanaged<Feed>.fromOpaque(client).takeUnretainedValue().skip(count)
                }, nil))
    }

    deinit { archive_read_free(handle) }

    /// The next member, nil after the last.
    func next() throws(SnpackError) -> Member? {
        var entry: OpaquePointer?
        let status = archive_read_next_header(handle, &entry)
        if status == ARCHIVE_EOF { return nil }
        try check(status)
        guard let entry, let name = archive_entry_pathname(entry) else {
            return Member(path: [], kind: .other, byteCount: 0)
        }
        let isLink = archive_entry_hardlink(entry) != nil || archive_entry_sparse_count(entry) > 0
        let kind: Member.Kind =
            switch archive_entry_filetype(entry) {
            case _ where isLink: .other
            case 0o100000: .file
            case 0o040000: .directory
            default: .other
            }
        let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
        return Member(path: Array(bytes), kind: kind, byteCount: UInt64(max(0, archive_entry_size(entry))))
    }

    /// Hands over the current member's bytes in order; throws unless they are `byteCount`.
    func forEachBlock(
        of member: Member, _ body: (UnsafeRawBufferPointer) throws(SnpackError) -> Void
    ) throws(SnpackError) {
        var done: UInt64 = 0
        while true {
            var (start, count, offset): (UnsafeRawPointer?, Int, Int64) = (nil, 0, 0)
            let status = archive_read_data_block(handle, &start, &count, &offset)
            if status == ARCHIVE_EOF { break }
            try check(status)
            guard offset >= 0, UInt64(offset) == done, UInt64(count) <= member.byteCount - done else {
                throw SnpackError(.valhallaTarMalformed, "a member has holes", path: feed.file.name)
            }
            done += UInt64(count)
            if count > 0 { try body(UnsafeRawBufferPointer(start: start, count: count)) }
        }
        guard done == member.byteCount else {
            throw SnpackError(.valhallaTarMalformed, "it ends within a member", path: feed.file.name)
        }
    }

    private func check(_ status: Int32) throws(SnpackError) {
        if let failure = feed.failure { throw failure }
        // A warning is about a name or an attribute; which names are fine is not libarchive's to judge.
        guard status < ARCHIVE_WARN else { return }
        let reason = archive_error_string(handle).map { String(cString: $0) } ?? "unreadable"
        throw SnpackError(
            .valhallaTarMalformed, "it is no plain tar archive: \(quoted(reason))",
            hint: "the engine takes uncompressed tar only, as valhalla_build_extract writes it", path: feed.file.name)
    }
}

/// Where libarchive takes its bytes from.
private final class Feed {
    let file: any RandomAccess
    private(set) var failure: SnpackError?
    private var position: UInt64 = 0
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

    init(_ file: any RandomAccess) { self.file = file }

    deinit { buffer.deallocate() }

    func read(_ start: UnsafeMutablePointer<UnsafeRawPointer?>) -> la_ssize_t {
        let count = Int(min(UInt64(buffer.count), file.byteCount - position))
        do throws(SnpackError) {
            try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: position)
        } catch {
            failure = error
            return la_ssize_t(ARCHIVE_FATAL)
        }
        position += UInt64(count)
        start.pointee = UnsafeRawPointer(buffer.baseAddress)
        return la_ssize_t(count)
    }

    func skip(_ count: la_int64_t) -> la_int64_t {
        let skipped = min(UInt64(max(0, count)), file.byteCount - position)
        position += skipped
        return la_int64_t(clamping: skipped)
    }
}

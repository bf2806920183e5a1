/// The first 100 bytes of an SQLite file (sqlite.org/fileformat2.html, section 1.3).
package struct DatabaseHeader: Hashable, Sendable {
    package static let byteCount = 100
    /// `SQLite format 3`, NUL.
    package static let magic = Array("SQLite format 3\0".utf8)
    /// What SQLite puts beside `NAME` while a database is in use, or after a crash.
    package static let sidecarSuffixes = ["-wal", "-shm", "-journal"]

    /// A power of two from 512 to 65,536.
    package let pageByteCount: Int
    /// True when the file is in write-ahead-log mode: rows may lie in a file beside it.
    package let isWAL: Bool
    /// Goes up with every change (bytes 24–27).
    package let changeCounter: UInt32
    /// The size of the database in pages, as the header tells it.
    package let pageCount: UInt32
    /// `PRAGMA user_version`
    package let userVersion: UInt32
    /// `PRAGMA application_id`
    package let applicationID: UInt32
    /// The SQLite that wrote last, as 3040001 (bytes 96–99).
    package let writerVersion: UInt32

    /// Nil when `bytes` do not begin with a header.
    package init?(_ bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(Self.byteCount))
        guard head.count == Self.byteCount, head.starts(with: Self.magic) else { return nil }
        func word(_ offset: Int) -> UInt32 { head[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        let pageSize = Int(head[16]) << 8 | Int(head[17])
        pageByteCount = pageSize == 1 ? 65_536 : pageSize
        guard pageByteCount >= 512, pageByteCount & (pageByteCount - 1) == 0 else { return nil }
        isWAL = head[18] == 2 || head[19] == 2
        changeCounter = word(24)
        pageCount = word(28)
        userVersion = word(60)
        applicationID = word(68)
        writerVersion = word(96)
    }

    /// Sets the counters that depend on how a file came about, not on what is in it, to 1: the change counter and the
    /// change for which the page count is valid, which must agree.
    ///
    /// - Parameter file: the first bytes of a database that nobody has open.
    package static func setCounters(_ file: UnsafeMutableRawBufferPointer) {
        guard file.count >= byteCount else { return }
        for offset in [24, 92] { file[offset..<offset + 4].copyBytes(from: [0, 0, 0, 1]) }
    }
}

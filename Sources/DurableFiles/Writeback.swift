/// Has a file that is written from front to back go to the disk piece by piece, while its rest is being made.
struct Writeback {
    private static let pieceByteCount: Int64 = 8 << 20
    private var written: Int64 = 0
    private var begun: Int64 = 0

    mutating func wrote(_ byteCount: Int, to file: Int32, on disk: any Disk) {
        written &+= Int64(byteCount)
        if written &- begun >= Self.pieceByteCount { begin(file, on: disk) }
    }

    /// The rest, where nothing more is written.
    mutating func begin(_ file: Int32, on disk: any Disk) {
        guard written > begun else { return }
        disk.beginWriteback(file, at: begun, byteCount: written &- begun)
        begun = written
    }
}

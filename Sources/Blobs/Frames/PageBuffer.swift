import Parallel
import TerritoryModel

/// Memory for one chunk or one frame, used again and again, in one thread's hands at a time.
///
/// It begins at a page: the kernel copies there and back at its best, which it does not from within a Swift array.
final class PageBuffer: @unchecked Sendable {
    private static let alignment = 4_096
    private static let byteCount = (Int(Limits.chunkFrameBytes) + alignment - 1) / alignment * alignment

    /// All of it.
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: alignment)
    /// How much of it holds something.
    var count = 0

    init() {}

    deinit { room.deallocate() }

    /// What it holds.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: room[..<count]) }

    /// Its first `count` bytes, to be written.
    func filling(_ count: Int) -> UnsafeMutableRawBufferPointer {
        self.count = count
        return UnsafeMutableRawBufferPointer(rebasing: room[..<count])
    }
}

extension ResourcePool<PageBuffer> {
    convenience init() { self.init { PageBuffer() } }
}

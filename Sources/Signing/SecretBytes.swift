import CSodium
package import Diagnostics

/// A piece of memory for seeds, passphrases and texts that hold them: locked, fenced by guard pages, wiped when dropped.
///
/// It is filled once and read-only from then on. Nothing of it shows in descriptions.
package final class SecretBytes: @unchecked Sendable, CustomStringConvertible {
    // Unchecked, because a pointer is not Sendable: after `init` nobody writes (the pages are read-only), and only
    // `deinit` frees.
    private let start: UnsafeMutablePointer<UInt8>
    package let count: Int

    /// Takes `count` bytes of memory and lets `fill` write them. The memory is wiped and freed if `fill` throws.
    package convenience init(
        count: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) throws(SnpackError) -> Void
    ) throws(SnpackError) {
        try self.init(
            count: count,
            pointer: { pointer throws(SnpackError) in
                try fill(UnsafeMutableBufferPointer(start: pointer, count: count))
            })
    }

    /// The same for C functions, which take a pointer that is never nil.
    init(
        count: Int, pointer fill: (UnsafeMutablePointer<UInt8>) throws(SnpackError) -> Void
    ) throws(SnpackError) {
        try Sodium.initialise()
        guard let memory = sodium_malloc(max(count, 1)) else {
            throw SnpackError(.cryptographyFailed, "no memory for a secret of \(count) bytes")
        }
        start = memory.bindMemory(to: UInt8.self, capacity: count)
        self.count = count
        start.update(repeating: 0, count: count)
        try fill(start)
        try Sodium.check(sodium_mprotect_readonly(memory), "write-protecting a secret")
    }

    /// Takes over `bytes` and wipes them where they were.
    package convenience init(wiping bytes: inout [UInt8]) throws(SnpackError) {
        defer { bytes.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) } }
        try self.init(copying: bytes)
    }

    /// A copy of bytes that are known elsewhere anyway.
    package convenience init(copying bytes: some Collection<UInt8>) throws(SnpackError) {
        try self.init(count: bytes.count) { target in _ = target.update(fromContentsOf: bytes) }
    }

    deinit { sodium_free(start) }

    /// Lends the bytes to `body`, which must not keep or copy them.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeBufferPointer(start: start, count: count))
    }

    /// The same for C functions.
    func withPointer<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result { body(start) }

    package var description: String { "\(count) secret bytes" }
}

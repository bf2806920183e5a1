package import Diagnostics
import Synchronization

/// Lends costly things (a compressor's context) to threads, one borrower each, made when none is free.
package final class ResourcePool<Resource>: @unchecked Sendable {
    // `free` is only touched under the lock, and a resource is in one thread's hands at a time.
    private let lock = Mutex(())
    private var free: [Resource] = []
    private let make: @Sendable () throws(SnpackError) -> Resource

    package init(_ make: @escaping @Sendable () throws(SnpackError) -> Resource) { self.make = make }

    package func with<Result>(
        _ body: (Resource) throws(SnpackError) -> Result
    ) throws(SnpackError) -> Result {
        let borrowed = lock.withLock { _ in free.popLast() }
        let resource = if let borrowed { borrowed } else { try make() }
        defer { lock.withLock { _ in free.append(resource) } }
        return try body(resource)
    }
}

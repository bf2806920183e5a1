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
        let resource = try take()
        defer { giveBack(resource) }
        return try body(resource)
    }

    /// A free resource, or a new one. Not given back, it is dropped with its last user.
    package func take() throws(SnpackError) -> Resource {
        let borrowed = lock.withLock { _ in free.popLast() }
        return if let borrowed { borrowed } else { try make() }
    }

    /// Ends the use of what was taken.
    package func giveBack(_ resource: Resource) { lock.withLock { _ in free.append(resource) } }
}

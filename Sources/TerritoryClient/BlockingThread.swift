import Dispatch
import Glibc

/// Threads for work that waits: for a disk, a network, a lock. The queues' own threads are few, and one that waits keeps
/// others from running.
enum BlockingThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a new thread that ends with it.
    static func run(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { pointer in
                if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard status == 0 else {
            // No thread to be had: better late than never.
            work.release()
            return DispatchQueue.global(qos: .utility).async(execute: body)
        }
        pthread_detach(thread)
    }
}

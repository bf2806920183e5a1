package import Diagnostics
import Glibc

/// A kernel lock on a file (`flock`): it ends with the process that holds it, however that ends.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock on `name` in `directory`, made where it is missing.
    /// - Parameter wait: keep asking for this many seconds while another process holds it.
    package init(_ name: String, in directory: Directory, wait: Int = 0) throws(SnpackError) {
        let shown = directory.path(of: name)
        do throws(SystemFailure) {
            descriptor = try directory.disk.open(
                directory.descriptor, name, flags: O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode: 0o644)
        } catch { throw error.error("open the lock", shown) }
        // From here on `deinit` closes it, after an error too.
        var attempts = max(0, wait) * 20
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw SystemFailure.last.error("lock", shown)
            }
            guard attempts > 0 else {
                throw SnpackError(
                    .lockBusy, "another snpack works here", hint: "wait until it is done, then run this again",
                    path: shown)
            }
            attempts -= 1
            usleep(50_000)
        }
    }

    deinit {
        // A child that is just being started may hold a copy of the descriptor; the lock ends all the same.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

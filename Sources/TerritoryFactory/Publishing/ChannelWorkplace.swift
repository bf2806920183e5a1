import Diagnostics
package import DurableFiles
import TerritoryPackage

/// A channel's directory while one command changes it: locked, with a place beside what is served where files are written
/// before they get their names.
package final class ChannelWorkplace {
    package let root: Directory
    /// On the same file system, never served.
    package let staging: Directory
    private let lock: FileLock

    /// Opens the directory, made where it is missing, and removes what killed commands left in `staging`.
    /// - Throws: `lock.busy` while another command works here.
    init(_ path: String, disk: any Disk) throws(SnpackError) {
        root = try Directory.create(path, disk: disk)
        try root.setMode(0o755)
        let work = try root.directory(ChannelFile.work, creating: 0o700)
        lock = try FileLock("lock", in: work)
        staging = try work.directory("staging", creating: 0o700)
        try staging.removeLeftovers()
        // What makes this a publisher's channel must be there before an index is: verify judges a torn pair by it.
        try work.sync()
    }

    /// Writes a file of the channel whole, by one rename; the caller syncs the directory.
    func put(_ bytes: [UInt8], as name: String, in target: Directory? = nil) throws(SnpackError) {
        let file = try StagedFile(in: staging)
        try file.write(bytes)
        try file.commit(as: name, in: target ?? root, replacing: true)
    }
}

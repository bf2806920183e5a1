import Glibc

extension Disk {
    /// Renames on every file system; `replacing: false` fails with `EEXIST` when the target is there.
    func move(
        _ from: Int32, _ name: String, to: Int32, _ newName: String, replacing: Bool
    ) throws(SystemFailure) {
        guard !replacing else { return try rename(from, name, to: to, newName, replacing: true) }
        try renameToFreeName(from, name, to: to, newName)
    }

    /// Renames to a name that must be free.
    ///
    /// Network and FUSE file systems often lack the one call for it. A second name then serves for a file; where there is
    /// none either, as on cards and sticks, and for directories, somebody's own file made between the look and the rename
    /// would be replaced. A directory with something in it never is.
    private func renameToFreeName(
        _ from: Int32, _ name: String, to: Int32, _ newName: String
    ) throws(SystemFailure) {
        do throws(SystemFailure) {
            return try rename(from, name, to: to, newName, replacing: false)
        } catch  where [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.number) {}
        do throws(SystemFailure) {
            try link(from, name, to: to, newName)
            return try unlink(from, name)
        } catch  where [EPERM, ENOSYS, EOPNOTSUPP, EMLINK].contains(error.number) {}
        do throws(SystemFailure) {
            _ = try FileIdentity.of(to, newName)
        } catch  where error.number == ENOENT {
            return try rename(from, name, to: to, newName, replacing: true)
        }
        throw SystemFailure(number: EEXIST)
    }
}

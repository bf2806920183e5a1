import CSQLite
package import Diagnostics

extension Database {
    /// Lets the file's own views be read. Their functions stay as untrusted, and their work as bounded, as all else.
    package func allowViews() throws(SnpackError) {
        try check(snpack_sqlite_switch(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 1))
    }
}

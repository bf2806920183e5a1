import CSodium
package import Diagnostics

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Keeps this process's memory out of other hands while it holds a secret key.
package enum ProcessSecrets {
    /// No core dump of this process from now on, and no debugger that root does not run.
    ///
    /// On Linux the process's own `/proc/self` becomes root's, too: nothing may be opened or linked through
    /// `/proc/self/fd` afterwards. Child processes that start another program are not touched.
    package static func forbidCoreDumps() throws(SnpackError) {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
            let limited = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
            let limited = setrlimit(RLIMIT_CORE, &none)
        #endif
        guard limited == 0, snpack_forbid_dumping_memory() == 0 else {
            throw SnpackError(
                .cryptographyFailed, "cannot switch core dumps off: \(String(cString: strerror(errno)))")
        }
    }
}

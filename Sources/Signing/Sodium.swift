import CSodium
package import Diagnostics

/// libsodium, made ready once.
package enum Sodium {
    private static let isReady = sodium_init() >= 0

    /// Makes the library ready; from any thread, any number of times. Everything in this module that needs it calls it.
    package static func initialise() throws(SnpackError) {
        guard isReady else {
            throw SnpackError(.cryptographyFailed, "libsodium does not start: this system gives no random numbers")
        }
    }

    /// Turns a return code that only a lack of memory or a fault of the machine explains into an error.
    static func check(_ status: Int32, _ work: String) throws(SnpackError) {
        guard status == 0 else { throw SnpackError(.cryptographyFailed, "\(work) failed") }
    }

    /// `count` random bytes that need not be kept secret: a salt, a nonce.
    static func randomBytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }
}

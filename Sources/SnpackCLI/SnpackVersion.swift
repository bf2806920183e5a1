/// Which snpack this is.
package enum SnpackVersion {
    package static let number = "0.1.0"
    /// The day it was made, for the manual.
    package static let released = "2026-11-30"
}

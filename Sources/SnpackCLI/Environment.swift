import Glibc

/// The environment's variables, read one by one when they are asked for.
package struct Environment: Sendable {
    private let read: @Sendable (String) -> String?

    package init(_ read: @escaping @Sendable (String) -> String?) {
        self.read = read
    }

    /// This process's own.
    package static let process = Environment { name in getenv(name).map { String(cString: $0) } }

    /// The variable's value; an empty one counts as absent.
    package subscript(name: String) -> String? {
        read(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}

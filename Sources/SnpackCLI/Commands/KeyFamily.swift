import Arguments

/// `snpack key …`
enum KeyFamily {
    static let spec = CommandSpec("key", "look at, export and import keys")
}

/// The two key pairs in `keys-example/`, whose secrets are public on purpose.
///
/// Whoever trusts one of them trusts everybody: signing with one warns, and publishing refuses it unless told otherwise.
package enum ExampleKeys {
    /// The public halves.
    package static let publicKeyHexes: [String] = [
        "d5b439b356b47171b2042a87d1d6394010c47505211dd002ee28457c23719338",
        "391529db2f2616ee225407e14c461fba46d892e9c2bb3d003cec848208c58672",
    ]

    /// True if the secret half of this key is known to the world.
    package static func isExample(_ publicKey: PublicKey) -> Bool { publicKeyHexes.contains(publicKey.hex) }
}

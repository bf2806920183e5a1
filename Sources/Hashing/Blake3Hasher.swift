import CBlake3

/// Works out the BLAKE3 digest of a message that comes in pieces, in constant memory (about 130 KiB).
///
/// How the message is cut into pieces does not matter to the digest. Pieces of 256 KiB and more are the fastest, best
/// at an address divisible by 32, since the kernel then copies file content faster, too.
public struct Blake3Hasher: ~Copyable, @unchecked Sendable {
    // Unchecked because a pointer is never Sendable; this one has a single owner, which changes the state only in
    // `mutating` methods.
    private let state: OpaquePointer

    /// A hasher that has seen nothing yet.
    public init() { self.init(by: .fastest) }

    package init(by implementation: Blake3Implementation) {
        guard let state = snpack_blake3_new(implementation.name) else {
            // As everywhere in Swift: an allocation of bounded size that fails leaves nothing to go on with.
            preconditionFailure("out of memory")
        }
        self.state = state
    }

    deinit { snpack_blake3_free(state) }

    /// Takes the next bytes of the message.
    public mutating func update(_ piece: UnsafeRawBufferPointer) {
        snpack_blake3_update(state, piece.baseAddress, piece.count)
    }

    /// Takes the next bytes of the message.
    public mutating func update(_ piece: [UInt8]) {
        piece.withUnsafeBytes { update($0) }
    }

    /// The digest of everything taken so far. More may be taken afterwards.
    public func finalize() -> Blake3Digest {
        Blake3Digest { snpack_blake3_finalize(state, $0.baseAddress) }
    }
}

import CBlake3

/// One of the ways to compute BLAKE3, all with the same result. Named so that tests can hold them against each other.
package enum Blake3Implementation: CaseIterable, Sendable {
    /// Plain integers.
    case portable
    /// Four chunks at a time in 128-bit vectors: SSE2 or NEON.
    case lanes4
    /// Eight chunks at a time.
    case avx2
    /// Sixteen chunks at a time.
    case avx512

    var name: snpack_blake3_implementation {
        switch self {
        case .portable: SNPACK_BLAKE3_PORTABLE
        case .lanes4: SNPACK_BLAKE3_LANES4
        case .avx2: SNPACK_BLAKE3_AVX2
        case .avx512: SNPACK_BLAKE3_AVX512
        }
    }

    /// Those that this machine can run, slowest first.
    package static let supported = allCases.filter { snpack_blake3_supports($0.name) }

    /// What digests are made by unless a test says otherwise.
    package static let fastest = supported.last ?? .portable
}

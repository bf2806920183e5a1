import Diagnostics

/// Names the algorithm of a key in PEM or DER, to accept one and to refuse the others by name.
enum KeyAlgorithm {
    /// 1.3.101.112, RFC 8410.
    static let ed25519: [UInt8] = [0x2B, 0x65, 0x70]

    private static let others: [([UInt8], String)] = [
        ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01], "RSA"),
        ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A], "RSA-PSS"),
        ([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01], "EC"),
        ([0x2A, 0x86, 0x48, 0xCE, 0x38, 0x04, 0x01], "DSA"),
        ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x03, 0x01], "DH"),
        ([0x2B, 0x65, 0x6E], "X25519"),
        ([0x2B, 0x65, 0x6F], "X448"),
        ([0x2B, 0x65, 0x71], "Ed448"),
    ]

    /// The content of an `AlgorithmIdentifier`: throws unless it is ed25519 without parameters.
    static func check(_ identifier: DERReader) throws(SnpackError) {
        var identifier = identifier
        guard let name = identifier.read(DERReader.objectIdentifier) else { throw PEM.malformed("no algorithm in it") }
        guard name.bytes.elementsEqual(ed25519) else {
            let known = others.first { name.bytes.elementsEqual($0.0) }?.1
            throw refused(known ?? "an algorithm that snpack does not know")
        }
        guard identifier.isAtEnd else { throw PEM.malformed("ed25519 takes no parameters") }
    }

    static func refused(_ name: String) -> SnpackError {
        SnpackError(
            .pemOtherAlgorithm, "the key in this PEM file is \(name), not ed25519",
            hint: "snpack keygen, or openssl genpkey -algorithm ed25519, makes one that fits")
    }
}

package import Diagnostics

extension SecretKey {
    /// PKCS#8 (RFC 8410) without the 32 bytes of the seed at its end.
    private static let pkcs8Head: [UInt8] =
        [0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03] + KeyAlgorithm.ed25519 + [0x04, 0x22, 0x04, 0x20]

    /// Reads an unencrypted PKCS#8 PEM file; throws `pem.malformed` or `pem.other-algorithm`.
    package init(pem file: SecretBytes, role: KeyRole) throws(SnpackError) {
        let der = try PEM.decode(file, label: PEM.privateLabel)
        let seed = try der.withBytes { bytes throws(SnpackError) in
            var outer = DERReader(bytes)
            guard var info = outer.read(DERReader.sequence), outer.isAtEnd,
                let version = info.read(DERReader.integer), let algorithm = info.read(DERReader.sequence)
            else { throw PEM.malformed("no PKCS#8 key in it") }
            try KeyAlgorithm.check(algorithm)
            guard version.bytes.elementsEqual([0]), var key = info.read(DERReader.octetString), info.isAtEnd,
                let seed = key.read(DERReader.octetString), key.isAtEnd, seed.bytes.count == SecretKey.seedByteCount
            else { throw PEM.malformed("not the PKCS#8 form of RFC 8410 with the secret key alone") }
            return try SecretBytes(copying: seed.bytes)
        }
        try self.init(seed: seed, role: role)
    }

    /// The key as `openssl pkey` writes it, unencrypted. The role does not travel.
    package func pem() throws(SnpackError) -> SecretBytes {
        let head = Self.pkcs8Head
        let der = try SecretBytes(count: head.count + Self.seedByteCount) { target in
            let start = target.update(fromContentsOf: head)
            withSeed { _ = target[start...].update(fromContentsOf: $0) }
        }
        return try SecretBytes(count: PEM.textCount(der.count, label: PEM.privateLabel)) { target in
            der.withBytes { PEM.encode($0, label: PEM.privateLabel, into: target) }
        }
    }
}

extension PublicKey {
    /// SubjectPublicKeyInfo (RFC 8410) without the 32 bytes at its end.
    private static let infoHead: [UInt8] =
        [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03] + KeyAlgorithm.ed25519 + [0x03, 0x21, 0x00]

    /// Reads a public key as `openssl pkey -pubout` writes it; throws `pem.malformed`, `pem.other-algorithm`, `key.invalid`.
    package init(pem file: [UInt8]) throws(SnpackError) {
        let der = try PEM.decode(SecretBytes(copying: file), label: PEM.publicLabel)
        let point = try der.withBytes { bytes throws(SnpackError) in
            var outer = DERReader(bytes)
            guard var info = outer.read(DERReader.sequence), outer.isAtEnd,
                let algorithm = info.read(DERReader.sequence)
            else { throw PEM.malformed("no public key in it") }
            try KeyAlgorithm.check(algorithm)
            guard let bits = info.read(DERReader.bitString), info.isAtEnd, bits.bytes.first == 0 else {
                throw PEM.malformed("no public key in it")
            }
            return Array(bits.bytes.dropFirst())
        }
        try self.init(bytes: point)
    }

    /// The key as `openssl pkey -pubout` writes it.
    package var pem: String {
        let der = Self.infoHead + bytes
        let text = [UInt8](unsafeUninitializedCapacity: PEM.textCount(der.count, label: PEM.publicLabel)) {
            target, filled in
            target.initialize(repeating: 0)
            der.withUnsafeBufferPointer { PEM.encode($0, label: PEM.publicLabel, into: target) }
            filled = target.count
        }
        return String(decoding: text, as: UTF8.self)
    }
}

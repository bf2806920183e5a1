import Diagnostics

/// PEM files as OpenSSL writes them (RFC 7468): one block, base64 in lines of up to 64 characters, nothing around it.
package enum PEM {
    /// An RSA key of 16,384 bits still fits, and is then refused by name.
    package static let maxByteCount = 16_384
    static let privateLabel = "PRIVATE KEY"
    static let publicLabel = "PUBLIC KEY"
    private static let lineCount = 64

    /// The DER in a block of this label; throws `pem.malformed` or `pem.other-algorithm`.
    static func decode(_ file: SecretBytes, label: String) throws(SnpackError) -> SecretBytes {
        guard file.count <= maxByteCount else { throw malformed("it is longer than 16,384 bytes") }
        return try file.withBytes { bytes throws(SnpackError) in
            let lines = try body(bytes, label)
            let count = lines.reduce(0) { $0 + $1.count }
            let text = try SecretBytes(count: count) { target in
                var filled = 0
                for line in lines { filled = target[filled...].update(fromContentsOf: line) }
            }
            return try text.withBytes { text throws(SnpackError) in
                try SecretBytes(count: Base64.byteCount(text)) { target throws(SnpackError) in
                    guard Base64.decode(text, into: target) else { throw malformed("its base64 is not strict") }
                }
            }
        }
    }

    /// A block of this label. `der` is at most 48 bytes, one line.
    static func encode(
        _ der: UnsafeBufferPointer<UInt8>, label: String, into target: UnsafeMutableBufferPointer<UInt8>
    ) {
        let begin = "-----BEGIN \(label)-----\n".utf8
        let end = "\n-----END \(label)-----\n".utf8
        let start = target.update(fromContentsOf: begin)
        Base64.encode(der, into: UnsafeMutableBufferPointer(rebasing: target[start...]))
        _ = target[(start + Base64.textCount(der.count))...].update(fromContentsOf: end)
    }

    /// The length of what ``encode(_:label:into:)`` writes.
    static func textCount(_ count: Int, label: String) -> Int {
        "-----BEGIN -----\n\n-----END -----\n".utf8.count + 2 * label.utf8.count + Base64.textCount(count)
    }

    /// The lines between the block's first and last.
    private static func body(
        _ file: UnsafeBufferPointer<UInt8>, _ label: String
    ) throws(SnpackError) -> ArraySlice<Slice<UnsafeBufferPointer<UInt8>>> {
        var lines = file.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            $0.last == 0x0D ? $0.dropLast() : $0
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        guard let first = lines.first, let last = lines.last, lines.count >= 3 else {
            throw malformed("no block in it")
        }
        guard first.elementsEqual("-----BEGIN \(label)-----".utf8) else { throw otherLabel(first, label) }
        guard last.elementsEqual("-----END \(label)-----".utf8) else {
            throw malformed("its last line does not end the block")
        }
        let body = lines[1..<(lines.count - 1)]
        guard body.allSatisfy({ (1...lineCount).contains($0.count) }),
            body.dropLast().allSatisfy({ $0.count == lineCount })
        else { throw malformed("its lines are not of 64 characters") }
        return body
    }

    private static func otherLabel(_ line: Slice<UnsafeBufferPointer<UInt8>>, _ wanted: String) -> SnpackError {
        let starts: (String) -> Bool = { line.starts(with: "-----BEGIN \($0)".utf8) }
        for name in ["RSA", "EC", "DSA", "DH"] where starts(name + " P") { return KeyAlgorithm.refused(name) }
        if starts("ENCRYPTED PRIVATE KEY") {
            return malformed("it is encrypted", hint: "openssl pkey -in FILE.pem -out PLAIN.pem, then import that")
        }
        if starts("OPENSSH PRIVATE KEY") {
            return malformed(
                "it is OpenSSH's own format", hint: "import a PKCS#8 file: openssl genpkey -algorithm ed25519")
        }
        if starts(publicLabel) { return malformed("it holds a public key, and a secret one is wanted") }
        if starts(privateLabel) { return malformed("it holds a secret key, and a public one is wanted") }
        return malformed("it does not begin with -----BEGIN \(wanted)-----")
    }

    static func malformed(_ why: String, hint: String? = nil) -> SnpackError {
        SnpackError(
            .pemMalformed, "not a PEM file to use here: \(why)",
            hint: hint ?? "openssl pkey -in FILE.pem -out PLAIN.pem writes the form that is read here")
    }
}

import CSodium
public import Diagnostics
import Hashing

/// The public half of an ed25519 key (RFC 8032): 32 bytes that are a point one may trust.
///
/// A value of this type is never of small order and never a non-canonical encoding: with such keys anybody could sign.
public struct PublicKey: Hashable, Sendable, CustomStringConvertible {
    /// The length of a public key, 32.
    public static let byteCount = 32
    /// The longest `.pub` file that is looked at.
    package static let maxFileByteCount = 1_024

    /// The 32 bytes, as RFC 8032 encodes a point.
    public let bytes: [UInt8]

    /// Checks raw bytes; throws `key.invalid` and says why.
    public init(bytes: some Collection<UInt8>) throws(SnpackError) {
        let bytes = Array(bytes)
        if let flaw = CurvePoint.flaw(of: bytes) {
            throw SnpackError(
                .keyInvalid, "not a public key to trust: \(flaw)",
                hint: "use the .pub file that snpack keygen wrote beside the secret key")
        }
        self.bytes = bytes
    }

    /// Reads 64 hex characters, in either case; throws `key.invalid`.
    ///
    /// The text is in no error, for it may be a secret that was given by mistake.
    public init(parsing text: String) throws(SnpackError) {
        let digits = Array(text.utf8)
        guard digits.count == 2 * Self.byteCount else {
            throw SnpackError(
                .keyInvalid, "a public key is 64 hex characters; this is \(digits.count) bytes of text",
                hint: "give the 64 characters or the path of a .pub file")
        }
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        let status = digits.withUnsafeBufferPointer {
            $0.withMemoryRebound(to: CChar.self) {
                sodium_hex2bin(&bytes, Self.byteCount, $0.baseAddress, $0.count, nil, nil, nil)
            }
        }
        guard status == 0 else {
            throw SnpackError(
                .keyInvalid, "a public key is 64 hex characters; this holds others",
                hint: "give the 64 characters or the path of a .pub file")
        }
        try self.init(bytes: bytes)
    }

    /// Reads a `.pub` file: 64 hex characters, with white space around them passed over; throws `key.invalid`.
    public init(decoding file: [UInt8]) throws(SnpackError) {
        guard file.count <= Self.maxFileByteCount, !file.starts(with: KeyFile.magic.utf8) else {
            throw SnpackError(
                .keyInvalid,
                file.starts(with: KeyFile.magic.utf8)
                    ? "this is a secret key's file" : "a .pub file is one line of 64 hex characters; this is longer",
                hint: "give the .pub file beside it, which holds 64 hex characters")
        }
        if file.starts(with: "-----BEGIN ".utf8) {
            throw SnpackError(
                .keyInvalid, "this is a PEM file, not a .pub file",
                hint: "openssl pkey -pubin -in FILE.pem -outform DER | tail -c 32 | od -An -v -tx1 | tr -d ' \\n'")
        }
        let isSpace: (UInt8) -> Bool = { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
        let text = file.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        try self.init(parsing: String(decoding: text, as: UTF8.self))
    }

    /// 64 lowercase hex characters, as written in `.pub` files and given to `--factory-key`.
    public var hex: String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    /// The first 16 hex characters of the BLAKE3 of the 32 bytes: names a key to people, proves nothing.
    public var keyID: String { Blake3Digest.of(bytes).shortHex }

    /// What a `.pub` file holds: the hex characters and one newline.
    package var fileBytes: [UInt8] { Array(hex.utf8) + [0x0A] }

    /// True if this key made `signature` over exactly these bytes. S ≥ L and an R of small order do not verify.
    package func verifies(_ signature: Signature, _ message: [UInt8]) -> Bool {
        crypto_sign_verify_detached(signature.bytes, message, UInt64(message.count), bytes) == 0
    }

    /// True if any line of a signature file is this key's signature over exactly these bytes.
    package func verifies(_ text: SignatureText, _ message: [UInt8]) -> Bool {
        text.signatures.contains { verifies($0, message) }
    }

    /// The hex characters.
    public var description: String { hex }
}

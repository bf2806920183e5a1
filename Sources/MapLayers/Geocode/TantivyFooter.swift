import Compression
import Diagnostics
import DurableFiles
import TerritoryModel

/// The end of every file of a Tantivy segment: a JSON object, its length and the number 1337, both u32 little-endian
/// (tantivy/src/directory/footer.rs).
struct TantivyFooter {
    private static let magic: UInt32 = 1_337
    /// Tantivy's own bound.
    private static let byteLimit: UInt64 = 50_000
    private static let tailByteCount: UInt64 = 8

    /// Of the library that wrote the file.
    let version: (major: UInt64, minor: UInt64, patch: UInt64)
    let indexFormat: UInt64
    let checksum: UInt32
    /// The bytes before the footer, which the checksum is of.
    let bodyByteCount: UInt64

    var versionText: String { "\(version.major).\(version.minor).\(version.patch)" }

    /// - Throws: `geocode.tantivy-footer`.
    init(of file: any RandomAccess) throws(SnpackError) {
        guard file.byteCount >= Self.tailByteCount else { throw Self.broken("the file has \(file.byteCount) bytes") }
        let tail = try file.bytes(at: file.byteCount - Self.tailByteCount, count: Int(Self.tailByteCount))
        func word(_ offset: Int) -> UInt32 { tail[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) } }
        guard word(4) == Self.magic else { throw Self.broken("it ends in \(word(4)), not in \(Self.magic)") }
        let length = UInt64(word(0))
        guard length <= Self.byteLimit, length <= file.byteCount - Self.tailByteCount else {
            throw Self.broken("its length is \(length)")
        }
        bodyByteCount = file.byteCount - Self.tailByteCount - length
        let document: JSONValue
        do {
            document = try StrictJSON.parse(try file.bytes(at: bodyByteCount, count: Int(length)), depthLimit: 8)
        } catch { throw error.recoded(.geocodeTantivyFooter, prefix: "Tantivy's footer is not whole: ") }
        func number(_ value: JSONValue?) throws(SnpackError) -> UInt64 {
            guard let number = value?.numberValue?.unsignedInteger, number <= UInt64(UInt32.max) else {
                throw Self.broken("it has no version and checksum")
            }
            return number
        }
        let version = document.objectValue?["version"]?.objectValue
        self.version = (
            try number(version?["major"]), try number(version?["minor"]), try number(version?["patch"])
        )
        indexFormat = try number(version?["index_format_version"])
        checksum = UInt32(truncatingIfNeeded: try number(document.objectValue?["crc"]))
    }

    /// The checksum of the body as it is.
    func bodyChecksum(of file: any RandomAccess, _ context: WorkContext) throws(SnpackError) -> UInt32 {
        var checksum: UInt32 = 0
        try file.readPieces(before: bodyByteCount, cancel: context.cancel) { piece, _ in
            checksum = CRC32.of(UnsafeRawBufferPointer(piece), continuing: checksum)
        }
        return checksum
    }

    private static func broken(_ reason: String) -> SnpackError {
        SnpackError(
            .geocodeTantivyFooter, "Tantivy's footer is not whole: \(reason)",
            hint: "the file was cut short: copy the index again after its writer has committed and closed")
    }
}

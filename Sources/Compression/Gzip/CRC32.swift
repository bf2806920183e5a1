import CZlib

/// The checksum of gzip, PNG and Tantivy's file footers (ISO 3309, reflected polynomial 0xEDB88320).
package enum CRC32 {
    /// - Parameter previous: the checksum of the bytes before, to go on from.
    package static func of(_ bytes: UnsafeRawBufferPointer, continuing previous: UInt32 = 0) -> UInt32 {
        guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return previous }
        return UInt32(truncatingIfNeeded: crc32_z(UInt(previous), start, bytes.count))
    }

    package static func of(_ bytes: [UInt8], continuing previous: UInt32 = 0) -> UInt32 {
        bytes.withUnsafeBytes { of($0, continuing: previous) }
    }
}

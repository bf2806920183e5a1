import Compression
package import Diagnostics
import TerritoryModel

/// Something that servers and deployment tools do to text files, and how to undo it.
package struct ByteChange: Sendable {
    package let code: ErrorCode
    /// What was done, to follow "the file was".
    package let what: String
    package let hint: String
    /// The bytes before; nil where these bytes cannot be what came of it.
    let undo: @Sendable ([UInt8]) -> [UInt8]?

    /// The change that explains how a file became `bytes`: the first whose undoing makes `isRight` true.
    package static func explaining(_ bytes: [UInt8], isRight: ([UInt8]) -> Bool) -> ByteChange? {
        if let change = all.first(where: { change in change.undo(bytes).map(isRight) ?? false }) { return change }
        // Two at a time: an editor that writes both a byte order mark and CRLF.
        for outer in all {
            guard let once = outer.undo(bytes) else { continue }
            if all.contains(where: { inner in inner.undo(once).map(isRight) ?? false }) { return outer }
        }
        return nil
    }

    private static let exact = "serve the files byte for byte"

    static let all: [ByteChange] = [
        ByteChange(
            code: .servedCompressedFile, what: "compressed with gzip",
            hint: "upload the files uncompressed, or let the server say Content-Encoding",
            undo: { bytes in
                guard bytes.starts(with: [0x1F, 0x8B]) else { return nil }
                return try? Gunzip().decompress(bytes, limit: Limits.indexBytes)
            }),
        ByteChange(
            code: .servedByteOrderMark, what: "given a byte order mark", hint: exact + ", not through an editor",
            undo: { $0.starts(with: [0xEF, 0xBB, 0xBF]) ? Array($0.dropFirst(3)) : nil }),
        ByteChange(
            code: .servedLineEnds, what: "converted to CRLF line ends",
            hint: exact + "; upload in binary mode, and keep git's autocrlf away (.gitattributes: * -text)",
            undo: { bytes in
                var result: [UInt8] = []
                result.reserveCapacity(bytes.count)
                for (index, byte) in bytes.enumerated()
                where byte != 0x0D || index + 1 == bytes.count || bytes[index + 1] != 0x0A { result.append(byte) }
                return result.count == bytes.count ? nil : result
            }),
        ByteChange(
            code: .servedLineEndAtEnd, what: "changed at its very end (its last line end)", hint: exact,
            undo: { $0.last == 0x0A ? Array($0.dropLast()) : $0 + [0x0A] }),
        ByteChange(
            code: .servedTranscoded, what: "converted from UTF-8 to UTF-16", hint: exact,
            undo: { bytes in
                guard bytes.count.isMultiple(of: 2), bytes.count >= 2 else { return nil }
                let isLittle = bytes.starts(with: [0xFF, 0xFE])
                guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return nil }
                var units: [UInt16] = []
                for index in stride(from: 2, to: bytes.count, by: 2) {
                    let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                    units.append(isLittle ? first | second << 8 : second | first << 8)
                }
                return Array(String(decoding: units, as: UTF16.self).utf8)
            }),
        ByteChange(
            code: .servedTranscoded, what: "converted from UTF-8 to Latin-1", hint: exact,
            undo: { bytes in
                guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
                return bytes.flatMap { Array(String(Unicode.Scalar($0)).utf8) }
            }),
        ByteChange(
            code: .servedTranscoded, what: "encoded as UTF-8 twice", hint: exact,
            undo: { bytes in
                guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
                let single = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
                return single.count == text.unicodeScalars.count && single.count < bytes.count ? single : nil
            }),
        ByteChange(
            code: .servedReformatted, what: "parsed and written again as JSON (reformatted or minified)",
            hint: exact + "; a signature covers the exact bytes, so nothing may reformat them",
            undo: { bytes in
                guard let canonical = (try? StrictJSON.parse(bytes))?.canonicalBytes else { return nil }
                return canonical == bytes ? nil : canonical
            }),
    ]
}

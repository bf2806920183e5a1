package import Blobs
package import Diagnostics
package import DurableFiles
import Signing
package import TerritoryModel

/// A `.snpkg`: one uncompressed tar of exactly the manifest, its signature, and the blobs in the manifest's order.
///
/// Every header is compared with the one a writer makes, so there is one archive for one package and nothing hides in it.
package struct PackageArchive: PackedPackage {
    private let file: any RandomAccess
    package let manifestBytes: [UInt8]
    package let signatureBytes: [UInt8]
    /// Where the blobs begin.
    private let blobsOffset: UInt64

    package init(_ file: any RandomAccess) throws(SnpackError) {
        self.file = file
        var offset: UInt64 = 0
        manifestBytes = try Self.document(PackageFile.manifest, limit: Limits.manifestBytes, in: file, at: &offset)
        signatureBytes = try Self.document(
            PackageFile.signature, limit: SignatureText.maxByteCount, in: file, at: &offset)
        blobsOffset = offset
    }

    package var shownPath: String { file.name }

    package func checkForm(for manifest: Manifest) throws(SnpackError) {
        var offset = blobsOffset
        for layer in manifest.layers {
            let entry = Self.entry(of: layer)
            let headers = entry.headers
            guard file.byteCount >= offset, file.byteCount - offset >= entry.unitByteCount else {
                throw Self.invalid("it ends within \(entry.path)", in: file)
            }
            guard try file.bytes(at: offset, count: headers.count) == headers else {
                throw Self.invalid("the entry of layer \(layer.kind) is not \(entry.path)", in: file)
            }
            offset += entry.unitByteCount
            let padding = try file.bytes(at: offset - UInt64(entry.paddingByteCount), count: entry.paddingByteCount)
            guard padding.allSatisfy({ $0 == 0 }) else { throw Self.invalid("padding is not zero", in: file) }
        }
        guard file.byteCount - offset == UInt64(TarEntry.endByteCount) else {
            throw Self.invalid("its size is not that of its entries", in: file)
        }
        guard try file.bytes(at: offset, count: TarEntry.endByteCount).allSatisfy({ $0 == 0 }) else {
            throw Self.invalid("its end is not two zero blocks", in: file)
        }
    }

    package func blob(_ index: Int, of manifest: Manifest) throws(SnpackError) -> any RandomAccess {
        let before = manifest.layers[..<index].reduce(blobsOffset) { $0 + Self.entry(of: $1).unitByteCount }
        let entry = Self.entry(of: manifest.layers[index])
        return try FileSlice(
            of: file, offset: before + UInt64(entry.headers.count), byteCount: entry.byteCount, name: entry.path)
    }

    package static func entry(of layer: Manifest.Layer) -> TarEntry {
        TarEntry(path: layer.blobPath, byteCount: layer.blob.byteCount)
    }

    package func patch(_ patch: Manifest.Patch, of layer: Manifest.Layer) throws(SnpackError) -> (any RandomAccess)? {
        nil
    }

    private static func invalid(_ reason: String, in file: any RandomAccess) -> SnpackError {
        SnpackError(
            .archiveInvalid, "not a .snpkg: \(reason)", hint: "make it again with snpack pack", path: file.name)
    }

    private static func document(
        _ name: String, limit: Int, in file: any RandomAccess, at offset: inout UInt64
    ) throws(SnpackError) -> [UInt8] {
        let block = UInt64(TarEntry.blockByteCount)
        guard file.byteCount >= offset + block else { throw invalid("it ends before \(name)", in: file) }
        let header = try file.bytes(at: offset, count: TarEntry.blockByteCount)
        let digits = String(decoding: header[124..<135], as: UTF8.self)
        guard let byteCount = UInt64(digits, radix: 8), byteCount <= UInt64(limit) else {
            throw invalid("the size of its \(name) is no number or too large", in: file)
        }
        let entry = TarEntry(path: name, byteCount: byteCount)
        guard entry.headers == header else { throw invalid("its entry is not \(name)", in: file) }
        guard file.byteCount >= offset + entry.unitByteCount else { throw invalid("it ends within \(name)", in: file) }
        let unit = try file.bytes(at: offset + block, count: Int(byteCount) + entry.paddingByteCount)
        guard unit[Int(byteCount)...].allSatisfy({ $0 == 0 }) else { throw invalid("padding is not zero", in: file) }
        offset += entry.unitByteCount
        return Array(unit[..<Int(byteCount)])
    }
}

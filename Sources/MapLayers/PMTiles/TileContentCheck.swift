import Compression
import Diagnostics

/// Looks into tiles: each must decompress as the header says and be of the type that the header says.
struct TileContentCheck: Sendable {
    /// Nil: whatever the tile's own first bytes tell.
    let compression: PMTilesCompression?
    let type: PMTilesTileType

    struct Result: Sendable {
        var byteCount = 0
        var names = VectorLayerNames()
        var faults: [SnpackError] = []
    }

    func run(on batch: TileBatch) throws(SnpackError) -> Result {
        let gunzip = try Gunzip()
        var result = Result()
        result.byteCount = batch.byteCount
        batch.bytes.withUnsafeBytes { bytes in
            var position = 0
            for content in batch.contents {
                let end = position + Int(content.byteCount)
                let tile = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
                position = end
                do throws(SnpackError) { try check(tile, gunzip, &result.names) } catch {
                    result.faults.append(
                        SnpackError(
                            error.code, "\(PMTilesArchive.name(content.tileID)): \(error.message)", hint: error.hint))
                }
            }
        }
        return result
    }

    private func check(
        _ stored: UnsafeRawBufferPointer, _ gunzip: Gunzip, _ names: inout VectorLayerNames
    ) throws(SnpackError) {
        let isGzip = compression.map { $0 == .gzip } ?? stored.starts(with: [0x1F, 0x8B])
        guard isGzip else { return try checkType(stored, &names) }
        var failure: SnpackError?
        do {
            try gunzip.withDecompressed(stored, limit: PMTilesContents.tileLimit) { tile in
                do throws(SnpackError) { try checkType(tile, &names) } catch { failure = error }
            }
        } catch  where error.code == .gzipTooLarge {
            throw error.recoded(.pmtilesTileTooLarge)
        } catch  where error.code == .gzipInvalid {
            throw error.recoded(.pmtilesTileDamaged, prefix: "it does not decompress as the header says: ")
        }
        if let failure { throw failure }
    }

    private func checkType(_ tile: UnsafeRawBufferPointer, _ names: inout VectorLayerNames) throws(SnpackError) {
        if type == .mvt {
            do throws(MalformedProtobuf) { try VectorTile.scan(tile, names: &names) } catch {
                let looksCompressed = compression == PMTilesCompression.none && tile.starts(with: [0x1F, 0x8B])
                throw SnpackError(
                    .pmtilesTileFormat, "it is no vector tile: \(error.reason)",
                    hint: looksCompressed ? "it is gzip, which the header does not say" : nil)
            }
        } else if RasterFormat(of: tile)?.tileType != type {
            let found = RasterFormat(of: tile).map { "it is \($0)" } ?? "it is no image that snpack knows"
            throw SnpackError(.pmtilesTileFormat, "\(found), the header says \(type)")
        }
    }
}

/// An image format, told by its first bytes.
enum RasterFormat: Sendable {
    case png, jpeg, webp, avif

    init?(of bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(32))
        func has(_ text: String, at offset: Int) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has("RIFF", at: 0) && has("WEBP", at: 8) {
            self = .webp
        } else if has("ftyp", at: 4),
            [8, 16, 20, 24, 28].contains(where: { has("avif", at: $0) || has("avis", at: $0) })
        {
            // ISO base media: the major brand, its version, compatible brands.
            self = .avif
        } else {
            return nil
        }
    }

    var tileType: PMTilesTileType {
        switch self {
        case .png: .png
        case .jpeg: .jpeg
        case .webp: .webp
        case .avif: .avif
        }
    }
}

/// How bytes are compressed, as the header's bytes 97 and 98 tell.
package struct PMTilesCompression: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let none = PMTilesCompression(rawValue: 1)
    package static let gzip = PMTilesCompression(rawValue: 2)
    package static let brotli = PMTilesCompression(rawValue: 3)
    package static let zstd = PMTilesCompression(rawValue: 4)

    package var description: String {
        switch self {
        case .none: "none"
        case .gzip: "gzip"
        case .brotli: "brotli"
        case .zstd: "zstd"
        default: rawValue == 0 ? "unknown" : "number \(rawValue)"
        }
    }
}

/// What the tiles are, as the header's byte 99 tells.
package struct PMTilesTileType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let mvt = PMTilesTileType(rawValue: 1)
    package static let png = PMTilesTileType(rawValue: 2)
    package static let jpeg = PMTilesTileType(rawValue: 3)
    package static let webp = PMTilesTileType(rawValue: 4)
    package static let avif = PMTilesTileType(rawValue: 5)

    /// What a tile's own first bytes tell: an image format, or else a vector tile.
    static func detected(in tile: [UInt8]) -> PMTilesTileType { RasterFormat(of: tile)?.tileType ?? .mvt }

    package var description: String {
        switch self {
        case .mvt: "mvt"
        case .png: "png"
        case .jpeg: "jpeg"
        case .webp: "webp"
        case .avif: "avif"
        default: rawValue == 0 ? "unknown" : "number \(rawValue)"
        }
    }
}

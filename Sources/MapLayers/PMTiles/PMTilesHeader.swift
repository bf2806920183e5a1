package import Diagnostics

/// The first 127 bytes of a PMTiles v3 archive, as they stand there: not yet checked against anything.
package struct PMTilesHeader: Hashable, Sendable {
    package static let byteCount = 127
    /// Header and root directory lie within this many bytes, which readers fetch at once.
    package static let rootLimit: UInt64 = 16_384
    static let magic = Array("PMTiles".utf8)
    static let version: UInt8 = 3

    /// A stretch of the file.
    package struct Section: Hashable, Sendable {
        package var offset: UInt64
        package var byteCount: UInt64

        package init(_ offset: UInt64, _ byteCount: UInt64) {
            self.offset = offset
            self.byteCount = byteCount
        }

        /// Where it ends; nil past the end of all files.
        package var end: UInt64? {
            let (end, overflow) = offset.addingReportingOverflow(byteCount)
            return overflow ? nil : end
        }
    }

    package var root = Section(0, 0)
    package var metadata = Section(0, 0)
    package var leaves = Section(0, 0)
    package var tiles = Section(0, 0)
    /// Tiles with runs counted in full, directory entries, distinct contents; 0 means not known.
    package var addressedTileCount: UInt64 = 0
    package var entryCount: UInt64 = 0
    package var contentCount: UInt64 = 0
    package var clustered: UInt8 = 0
    package var internalCompression = PMTilesCompression.gzip
    package var tileCompression = PMTilesCompression.gzip
    package var tileType = PMTilesTileType.mvt
    package var minZoom: UInt8 = 0
    package var maxZoom: UInt8 = 0
    package var bounds = E7Box(west: 0, south: 0, east: 0, north: 0)
    package var centerZoom: UInt8 = 0
    package var centerLongitude: Int32 = 0
    package var centerLatitude: Int32 = 0

    package init() {}

    /// Takes the fields out of a file's first bytes.
    /// - Throws: `pmtiles.not-an-archive` or `pmtiles.version`.
    package init(decoding bytes: [UInt8]) throws(SnpackError) {
        guard bytes.starts(with: Self.magic), bytes.count > 7 else {
            // Versions 1 and 2 begin with "PM" and their number.
            if bytes.starts(with: [0x50, 0x4D, 1, 0]) || bytes.starts(with: [0x50, 0x4D, 2, 0]) {
                throw Self.versionError(bytes[2])
            }
            throw SnpackError(.pmtilesNotAnArchive, "the file does not begin as a PMTiles archive does")
        }
        guard bytes[7] == Self.version else { throw Self.versionError(bytes[7]) }
        guard bytes.count >= Self.byteCount else {
            throw SnpackError(
                .pmtilesNotAnArchive, "the header is cut off: \(bytes.count) of \(Self.byteCount) bytes")
        }
        func word<T: FixedWidthInteger>(_ offset: Int) -> T {
            bytes.withUnsafeBytes { T(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: T.self)) }
        }
        root = Section(word(8), word(16))
        metadata = Section(word(24), word(32))
        leaves = Section(word(40), word(48))
        tiles = Section(word(56), word(64))
        (addressedTileCount, entryCount, contentCount) = (word(72), word(80), word(88))
        clustered = bytes[96]
        internalCompression = PMTilesCompression(rawValue: bytes[97])
        tileCompression = PMTilesCompression(rawValue: bytes[98])
        tileType = PMTilesTileType(rawValue: bytes[99])
        (minZoom, maxZoom, centerZoom) = (bytes[100], bytes[101], bytes[118])
        bounds = E7Box(west: word(102), south: word(106), east: word(110), north: word(114))
        (centerLongitude, centerLatitude) = (word(119), word(123))
    }

    private static func versionError(_ version: UInt8) -> SnpackError {
        SnpackError(
            .pmtilesVersion, "it is a PMTiles archive of version \(version); version 3 is read",
            hint: "convert it with `pmtiles convert`")
    }

    /// The 127 bytes.
    package var encoded: [UInt8] {
        var bytes = Self.magic + [Self.version]
        bytes.reserveCapacity(Self.byteCount)
        func append(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
        for section in [root, metadata, leaves, tiles] {
            append(section.offset)
            append(section.byteCount)
        }
        for count in [addressedTileCount, entryCount, contentCount] { append(count) }
        bytes += [clustered, internalCompression.rawValue, tileCompression.rawValue, tileType.rawValue]
        bytes += [minZoom, maxZoom]
        for edge in [bounds.west, bounds.south, bounds.east, bounds.north] { append(edge) }
        bytes.append(centerZoom)
        append(centerLongitude)
        append(centerLatitude)
        return bytes
    }
}

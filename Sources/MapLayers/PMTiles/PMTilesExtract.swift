package import Diagnostics
package import DurableFiles
package import TerritoryModel

/// The tiles of an archive that belong to an area, as an archive of their own.
///
/// Known from the source's directories alone: no tile is read before ``file(named:)`` is. Tiles that share their
/// bytes go on sharing them, and their bytes are not touched.
package struct PMTilesExtract: Sendable {
    private struct Place: Hashable {
        let offset: UInt64
        let byteCount: UInt32
    }

    /// Bytes of the source's tile data that lie together and go together.
    private struct Stretch {
        let offset: UInt64
        var byteCount: UInt64
    }

    private let archive: PMTilesArchive
    private let head: PMTilesHead
    private let stretches: [Stretch]
    /// Entries of the source without content, which are left out.
    package let emptyEntryCount: Int

    /// Tiles, those that share their bytes counted each.
    package var tileCount: UInt64 { head.header.addressedTileCount }
    /// The size of the new archive.
    package var byteCount: UInt64 { UInt64(head.bytes.count) + head.header.tiles.byteCount }
    package var header: PMTilesHeader { head.header }

    /// - Parameters:
    ///   - box: the area's, with its buffer.
    ///   - maxZoom: deeper tiles are left out; nil keeps all.
    /// - Returns: nil when no tile of the archive belongs to the area.
    /// - Throws: what makes the archive unreadable, or its bounds no box of any map.
    package init?(
        of archive: PMTilesArchive, in footprint: AreaFootprint, box: BoundingBox, maxZoom: Int? = nil,
        context: WorkContext
    ) throws(SnpackError) {
        let header = archive.header
        if let fault = header.boundsFault() { throw fault.at(archive.file.name) }
        let metadata = try archive.metadata()
        let last = min(Int(header.maxZoom), maxZoom ?? TileAddress.zoomLimit, TileAddress.zoomLimit)
        guard Int(header.minZoom) <= last else { return nil }
        var wanted: [Range<UInt64>] = []
        for zoom in Int(header.minZoom)...last {
            try context.cancel.check()
            wanted += AreaTiles.ids(of: footprint, zoom: zoom)
        }

        var list = PMTilesEntryList<Place>()
        var stretches: [Stretch] = []
        var emptyEntryCount = 0
        var cursor = archive.entries()
        var next = 0
        var count = 0
        while next < wanted.count {
            count += 1
            if count & 0xFFF == 0 { try context.cancel.check() }
            let entry: PMTilesEntry
            do throws(SnpackError) {
                guard let found = try cursor.next() else { break }
                entry = found
            } catch  where error.code == .pmtilesEntryEmpty {
                emptyEntryCount += 1
                continue
            }
            while next < wanted.count, wanted[next].upperBound <= entry.tileID { next += 1 }
            var index = next
            while index < wanted.count, wanted[index].lowerBound < entry.endID {
                let ids = wanted[index].clamped(to: entry.tileID..<entry.endID)
                let place = Place(offset: entry.offset, byteCount: entry.byteCount)
                if list.append(ids, content: place, byteCount: entry.byteCount) {
                    if let last = stretches.last, last.offset + last.byteCount == place.offset {
                        stretches[stretches.count - 1].byteCount += UInt64(place.byteCount)
                    } else {
                        stretches.append(Stretch(offset: place.offset, byteCount: UInt64(place.byteCount)))
                    }
                }
                index += 1
            }
        }
        guard !list.entries.isEmpty else { return nil }
        self.archive = archive
        self.stretches = stretches
        self.emptyEntryCount = emptyEntryCount
        head = try PMTilesHead(
            list,
            PMTilesDescription(
                tileType: header.tileType, tileCompression: header.tileCompression,
                bounds: Self.bounds(box, of: list.entries, within: header.bounds),
                center: (header.centerLongitude, header.centerLatitude, header.centerZoom), metadata: metadata))
    }

    /// The part of the area's box that the source covers. A box over the antimeridian becomes one around the world.
    ///
    /// Where nothing is left of it, or not a metre, the tiles themselves tell.
    private static func bounds(_ box: BoundingBox, of entries: [PMTilesEntry], within source: E7Box) -> E7Box {
        let spans: [(west: Double, east: Double)] =
            box.crossesAntimeridian ? [(box.west, 180), (-180, box.east)] : [(box.west, box.east)]
        var result: E7Box?
        for (west, east) in spans {
            guard let part = E7Box(enclosing: (west, box.south, east, box.north))?.intersection(source), !part.isEmpty
            else { continue }
            result =
                result.map {
                    E7Box(
                        west: min($0.west, part.west), south: part.south, east: max($0.east, part.east),
                        north: part.north)
                } ?? part
        }
        // A metre is 90 · 10^-7 degrees of latitude.
        if let result, Int64(result.east) - Int64(result.west) >= 90, Int64(result.north) - Int64(result.south) >= 90 {
            return result
        }
        let zoom = entries.last.flatMap { TileAddress.zoom(ofID: $0.endID - 1) } ?? 0
        var coverage = TileCoverage(zoom: zoom)
        for entry in entries {
            TileBlock.covering(entry.tileID..<entry.endID) { if $0.zoom == zoom { coverage.add($0) } }
        }
        return coverage.e7Box ?? source
    }

    /// The archive, read like a file; its tiles come out of the source as they are asked for.
    package func file(named name: String) -> any RandomAccess {
        var parts: [JoinedFile.Part] = [.init(MemoryFile(head.bytes), offset: 0, byteCount: UInt64(head.bytes.count))]
        parts += stretches.map {
            .init(archive.file, offset: archive.header.tiles.offset + $0.offset, byteCount: $0.byteCount)
        }
        return JoinedFile(parts, name: name)
    }
}

package import Diagnostics

extension PMTilesHeader {
    /// What makes the archive unreadable: sections outside the file, over each other, or packed in an unknown way.
    package func structureFaults(fileByteCount: UInt64) -> [SnpackError] {
        let sections = [
            ("root directory", root, 8), ("metadata", metadata, 24), ("leaf directory", leaves, 40),
            ("tile data", tiles, 56),
        ]
        var faults: [SnpackError] = []
        for (name, section, position) in sections {
            if section.offset > fileByteCount || section.byteCount > 0 && section.offset < Self.byteCount {
                faults.append(
                    SnpackError(
                        .pmtilesSectionRange,
                        "the header's \(name) offset (bytes \(position) to \(position + 7)) is \(section.offset); "
                            + "the file has \(fileByteCount) bytes and a header of \(Self.byteCount)"))
            } else if section.byteCount > fileByteCount - section.offset {
                faults.append(
                    SnpackError(
                        .pmtilesSectionRange,
                        "the header's \(name) length (bytes \(position + 8) to \(position + 15)) is "
                            + "\(section.byteCount); \(fileByteCount - section.offset) bytes are there",
                        hint: "the file is cut off, or its writer wrote the header wrong"))
            }
        }
        if root.byteCount == 0 {
            faults.append(SnpackError(.pmtilesSectionRange, "the header's root directory length is 0"))
        }
        if faults.isEmpty {
            faults += overlaps(sections.map { ($0.0, $0.1) })
            if root.end ?? .max > Self.rootLimit {
                faults.append(
                    SnpackError(
                        .pmtilesRootTooFar,
                        "the root directory ends at byte \(root.offset + root.byteCount); readers fetch the first "
                            + "\(Self.rootLimit)", hint: "write it again with leaf directories"))
            }
        }
        if internalCompression != .none && internalCompression != .gzip {
            faults.append(
                SnpackError(
                    .pmtilesInternalCompression,
                    "directories and metadata are compressed as \(internalCompression); none and gzip are read"))
        }
        return faults
    }

    private func overlaps(_ sections: [(name: String, section: Section)]) -> [SnpackError] {
        let inOrder = sections.filter { $0.section.byteCount > 0 }.sorted { $0.section.offset < $1.section.offset }
        return zip(inOrder, inOrder.dropFirst()).compactMap { first, second in
            guard let end = first.section.end, end > second.section.offset else { return nil }
            return SnpackError(
                .pmtilesSectionOverlap,
                "the header's \(first.name) section ends at byte \(end), after its \(second.name) section begins "
                    + "at \(second.section.offset)")
        }
    }

    /// What the header says about the tiles that cannot be true of any archive.
    func contentFaults() -> [SnpackError] {
        var faults: [SnpackError] = []
        if clustered != 1 {
            faults.append(
                SnpackError(
                    .pmtilesNotClustered, "the header's clustered flag (byte 96) is \(clustered), not 1",
                    hint: "run `pmtiles cluster` on it"))
        }
        if ![.none, .gzip].contains(tileCompression) {
            faults.append(
                SnpackError(
                    .pmtilesTileCompression, "tiles are compressed as \(tileCompression); none and gzip are read",
                    hint: "write the archive with gzip"))
        }
        if ![.mvt, .png, .jpeg, .webp, .avif].contains(tileType) {
            faults.append(
                SnpackError(
                    .pmtilesTileType, "the tile type is \(tileType); mvt, png, jpeg, webp and avif are known"))
        }
        let zoomsFit =
            minZoom <= centerZoom && centerZoom <= maxZoom && Int(maxZoom) <= TileAddress.zoomLimit
        if !zoomsFit {
            faults.append(
                SnpackError(
                    .pmtilesZoomOrder,
                    "zooms are out of order: minimum \(minZoom), centre \(centerZoom), maximum \(maxZoom)"))
        }
        if let fault = boundsFault() {
            faults.append(fault)
        } else if !bounds.contains(longitude: centerLongitude, latitude: centerLatitude) {
            let center = "\(Double(centerLongitude) / 1e7), \(Double(centerLatitude) / 1e7)"
            faults.append(
                SnpackError(.pmtilesCenter, "the centre \(center) is outside of the bounds \(bounds)"))
        }
        return faults
    }

    /// Why the bounds can be no box of any map; nil when they can.
    func boundsFault() -> SnpackError? {
        let edges = [bounds.west, bounds.south, bounds.east, bounds.north]
        guard bounds.isOnGlobe else {
            return SnpackError(.pmtilesBoundsRange, "the bounds \(bounds) are not on the globe")
        }
        if edges.allSatisfy({ $0 == 0 }) {
            return SnpackError(
                .pmtilesBoundsEmpty, "the bounds are all 0", hint: "the source had no bounds: give them to its writer")
        }
        if bounds.isEmpty {
            return SnpackError(
                .pmtilesBoundsEmpty, "the bounds \(bounds) hold nothing",
                hint: "west must be less than east, south less than north; over the antimeridian use -180 and 180")
        }
        if edges.allSatisfy({ (-180...180).contains($0) }) {
            return SnpackError(
                .pmtilesBoundsScale, "the bounds \(edges) are a few metres beside 0, 0",
                hint: "the writer left out the factor 10,000,000 of degrees")
        }
        // A metre is 90 · 10^-7 degrees of latitude.
        if bounds.north - bounds.south < 90 || Int64(bounds.east) - Int64(bounds.west) < 90 {
            return SnpackError(.pmtilesBoundsEmpty, "the bounds \(bounds) are smaller than a metre")
        }
        return nil
    }
}

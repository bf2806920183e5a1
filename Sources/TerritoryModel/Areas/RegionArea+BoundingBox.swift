import Diagnostics

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension RegionArea {
    /// The box of the area, widened by its buffer, outward to 1e-7 degrees.
    ///
    /// The buffer widens latitudes by a degree for each 111,000 metres, and longitudes by that over the cosine of the
    /// widened latitude furthest from the equator. An area whose parts touch both 180° and −180° and leave a gap
    /// elsewhere has a box that crosses the antimeridian. Source: the wire format's section on custom regions.
    ///
    /// - Throws: `bbox.invalid` if rounding leaves no box.
    public var boundingBox: BoundingBox {
        get throws(SnpackError) {
            var (west, east) = Span.enclosing(spans)
            let latitudes = parts.lazy.joined().map(\.latitude)
            var (south, north) = (Double(latitudes.min() ?? 0), Double(latitudes.max() ?? 0))
            if let bufferMeters {
                let height = Double(bufferMeters) / 111_000 * 1e7
                south = max(-9e8, (south - height).rounded(.down))
                north = min(9e8, (north + height).rounded(.up))
                let width = height / cos(max(-south, north) / 1e7 * .pi / 180)
                (west, east) = Span.widened((west, east), by: width)
            }
            return try BoundingBox(west: west / 1e7, south: south / 1e7, east: east / 1e7, north: north / 1e7)
        }
    }

    /// The outer rings or the lines.
    private var parts: [[Point]] {
        switch shape {
        case .polygons(let polygons): polygons.map(\.outer)
        case .lines(let lines): lines
        }
    }

    private var spans: [Span] {
        parts.compactMap { points in
            let longitudes = points.lazy.map { Double($0.longitude) }
            guard let west = longitudes.min(), let east = longitudes.max() else { return nil }
            return Span(west: west, east: east)
        }
    }
}

/// A stretch of longitudes, in units of 1e-7 degrees, west ≤ east.
private struct Span {
    let west: Double
    var east: Double

    private static let antimeridian = 1.8e9

    /// The stretch around all of `spans`; its west lies east of its east if it crosses the antimeridian.
    static func enclosing(_ spans: [Span]) -> (west: Double, east: Double) {
        var merged: [Span] = []
        for span in spans.sorted(by: { $0.west < $1.west }) {
            if let last = merged.last, span.west <= last.east {
                merged[merged.count - 1].east = max(last.east, span.east)
            } else {
                merged.append(span)
            }
        }
        guard let first = merged.first, let last = merged.last else { return (0, 0) }
        guard merged.count > 1, first.west == -antimeridian, last.east == antimeridian else {
            return (first.west, last.east)
        }
        let gaps = zip(merged, merged.dropFirst()).map { (from: $0.east, to: $1.west) }
        let widest = gaps.max { $0.to - $0.from < $1.to - $1.from } ?? (from: antimeridian, to: -antimeridian)
        return (widest.to, widest.from)
    }

    static func widened(_ span: (west: Double, east: Double), by width: Double) -> (west: Double, east: Double) {
        if span.west > span.east, 2 * width >= span.west - span.east { return (-antimeridian, antimeridian) }
        return (
            max(-antimeridian, (span.west - width).rounded(.down)), min(antimeridian, (span.east + width).rounded(.up))
        )
    }
}

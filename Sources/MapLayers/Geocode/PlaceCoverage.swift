import TerritoryModel

/// Grows to the smallest box around points, over 180° where that is shorter.
struct PlaceCoverage {
    private static let binCount = 720
    private var south = Int.max
    private var north = Int.min
    /// Per half degree of longitude the westernmost and easternmost point.
    private var bins = [ClosedRange<Int>?](repeating: nil, count: binCount)

    mutating func add(_ point: PlacePosition) {
        south = min(south, point.latE7)
        north = max(north, point.latE7)
        let bin = min(Self.binCount - 1, (point.lonE7 + PlaceBox.turn / 2) / (PlaceBox.turn / Self.binCount))
        let there = bins[bin] ?? point.lonE7...point.lonE7
        bins[bin] = min(there.lowerBound, point.lonE7)...max(there.upperBound, point.lonE7)
    }

    /// Nil without points. The box leaves out the widest empty stretch of longitude.
    var box: BoundingBox? {
        let used = bins.compactMap { $0 }
        guard let first = used.first, let last = used.last else { return nil }
        var west = first.lowerBound
        var east = last.upperBound
        var widest = west + PlaceBox.turn - east
        for (left, right) in zip(used, used.dropFirst()) where right.lowerBound - left.upperBound > widest {
            widest = right.lowerBound - left.upperBound
            (west, east) = (right.lowerBound, left.upperBound)
        }
        // A box has an area: one point or line is widened by the smallest step.
        let half = PlaceBox.turn / 2
        if west == east { if east < half { east += 1 } else { west -= 1 } }
        if west == half { west = -half }
        if east == -half { east = half }
        let (low, high) = south < north ? (south, north) : north < 900_000_000 ? (south, north + 1) : (south - 1, north)
        return try? BoundingBox(
            west: Double(west) / 1e7, south: Double(low) / 1e7, east: Double(east) / 1e7, north: Double(high) / 1e7)
    }
}

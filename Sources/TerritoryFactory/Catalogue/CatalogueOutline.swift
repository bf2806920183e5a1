import TerritoryModel

/// A region's area as the page draws it: coarse enough for a small map, however fine it was asked for.
struct CatalogueOutline {
    /// Steps of the grid across the area.
    private static let steps: Int64 = 2_000
    private let parts: [[RegionArea.Point]]
    private let isLine: Bool
    private let bufferMeters: UInt64?

    init(_ area: RegionArea) {
        bufferMeters = area.bufferMeters
        switch area.shape {
        case .polygons(let polygons): (parts, isLine) = (polygons.flatMap { [$0.outer] + $0.holes }, false)
        case .lines(let lines): (parts, isLine) = (lines, true)
        }
    }

    /// Parts as `[longitude, latitude, longitude, …]` in whole units of 1e-5 degrees.
    var json: JSONValue {
        let points = parts.joined()
        func extent(_ values: [Int32]) -> Int64 { Int64(values.max() ?? 0) - Int64(values.min() ?? 0) }
        let size = max(extent(points.map(\.longitude)), extent(points.map(\.latitude)))
        let grid = max(size / Self.steps, 100)
        var object: JSONObject = [
            "is_line": .bool(isLine),
            "parts": .array(parts.map { .array(Self.coarse($0, grid).map { .number(JSONNumber($0)) }) }),
        ]
        object["buffer_m"] = bufferMeters.map { .number(JSONNumber($0)) }
        return .object(object)
    }

    /// The points on a grid of `grid` units of 1e-7 degrees, equal neighbours once.
    private static func coarse(_ points: [RegionArea.Point], _ grid: Int64) -> [Int64] {
        var result: [Int64] = []
        for point in points {
            let pair = [point.longitude, point.latitude].map { Int64($0) / grid * grid / 100 }
            if result.suffix(2) != pair[...] { result += pair }
        }
        return result
    }
}

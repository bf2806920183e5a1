public import Diagnostics
import Hashing

/// The area that a custom region was asked for: polygons, or lines with a buffer, on the 1e-7 degree grid.
///
/// The same area is always the same value, wherever a ring was begun and whichever way round it ran.
public struct RegionArea: Hashable, Sendable {
    /// The polygons or lines, in canonical order.
    public let shape: Shape
    /// Metres around the shape that belong to the area too; needed for lines.
    public let bufferMeters: UInt64?

    init(shape: Shape, bufferMeters: UInt64?) throws(SnpackError) {
        if let bufferMeters, !Limits.bufferMeters.contains(bufferMeters) {
            throw Self.invalid("a buffer of \(bufferMeters) metres; it can be 1 to \(Limits.bufferMeters.upperBound)")
        }
        if case .lines = shape, bufferMeters == nil {
            throw Self.invalid("a line has no area by itself", hint: "give a buffer in metres")
        }
        guard shape.pointCount <= Limits.areaPoints else {
            throw Self.invalid("more than \(Limits.areaPoints) points", hint: "simplify the outline")
        }
        self.shape = shape
        self.bufferMeters = bufferMeters
    }

    /// The area within a box. One that crosses the antimeridian is two boxes that meet there.
    ///
    /// - Throws: `area.invalid` for a box without area on the 1e-7 degree grid or a buffer out of range.
    public init(_ box: BoundingBox, bufferMeters: UInt64? = nil) throws(SnpackError) {
        let (west, south, east, north) = (E7(box.west), E7(box.south), E7(box.east), E7(box.north))
        let antimeridian = (west: E7(units: -1_800_000_000), east: E7(units: 1_800_000_000))
        let spans =
            box.crossesAntimeridian ? [(west, antimeridian.east), (antimeridian.west, east)] : [(west, east)]
        var polygons: [Polygon] = []
        for (west, east) in spans {
            let corners = [(west, south), (east, south), (east, north), (west, north)]
            polygons.append(
                try Polygon(rings: [corners.map { Point(longitude: $0.0.units, latitude: $0.1.units) }], at: "box"))
        }
        try self.init(polygons: polygons, bufferMeters: bufferMeters)
    }

    /// An area of polygons in any order.
    init(polygons: [Polygon], bufferMeters: UInt64?) throws(SnpackError) {
        try self.init(
            shape: .polygons(polygons.sorted(byText: \.canonicalText)), bufferMeters: bufferMeters)
    }

    /// An area around lines in any order.
    init(lines: [[Point]], bufferMeters: UInt64?) throws(SnpackError) {
        try self.init(shape: .lines(lines.sorted(byText: Self.canonicalText)), bufferMeters: bufferMeters)
    }

    /// The text that the region's id is computed from.
    public var canonicalText: String {
        let text =
            switch shape {
            case .polygons(let polygons): polygons.map(\.canonicalText).joined(separator: ";")
            case .lines(let lines): lines.map { "line " + Self.canonicalText($0) }.joined(separator: ";")
            }
        return bufferMeters.map { "\(text)\nbuffer \($0)" } ?? text
    }

    /// The id of this area of a country: the same for every version of it.
    public func territoryID(cutFrom source: TerritoryID) -> TerritoryID {
        let digest = Blake3Digest.of(Array("snpack-region-1\n\(source)\n\(canonicalText)".utf8))
        return TerritoryID(regionDigits: digest.shortHex)
    }

    static func invalid(_ reason: String, hint: String? = nil) -> SnpackError {
        SnpackError(.areaInvalid, "not an area: \(reason)", hint: hint)
    }
}

extension Sequence {
    /// The elements in ascending order of their texts' bytes; each text is made once.
    func sorted(byText text: (Element) -> String) -> [Element] {
        map { (text($0), $0) }.sorted { $0.0.precedesInBytes($1.0) }.map(\.1)
    }
}

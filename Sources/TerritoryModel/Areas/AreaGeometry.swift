extension RegionArea {
    /// A point on the 1e-7 degree grid. Points are ordered by longitude, then latitude.
    public struct Point: Hashable, Sendable, Comparable {
        /// Longitude in units of 1e-7 degrees, from −1,800,000,000 to 1,800,000,000.
        public let longitude: Int32
        /// Latitude in units of 1e-7 degrees, from −900,000,000 to 900,000,000.
        public let latitude: Int32

        /// A point on the grid.
        public init(longitude: Int32, latitude: Int32) {
            self.longitude = longitude
            self.latitude = latitude
        }

        /// Whether `left` lies further west, or on the same meridian further south.
        public static func < (left: Point, right: Point) -> Bool {
            (left.longitude, left.latitude) < (right.longitude, right.latitude)
        }

        var canonicalText: String { "\(longitude),\(latitude)" }
    }

    /// A polygon of open rings: the last point joins the first.
    public struct Polygon: Hashable, Sendable {
        /// The outer ring, counter-clockwise, from its smallest point on.
        public let outer: [Point]
        /// The holes, clockwise, each from its smallest point on, in the order of their canonical texts.
        public let holes: [[Point]]

        var rings: [[Point]] { [outer] + holes }
        var canonicalText: String { rings.map(RegionArea.canonicalText).joined(separator: "/") }
    }

    /// What kind of area it is.
    public enum Shape: Hashable, Sendable {
        /// One or more polygons, in the order of their canonical texts.
        case polygons([Polygon])
        /// One or more lines, in the order of their canonical texts, each running as it was given.
        case lines([[Point]])

        var pointCount: Int {
            switch self {
            case .polygons(let polygons): polygons.reduce(0) { $0 + $1.rings.reduce(0) { $0 + $1.count } }
            case .lines(let lines): lines.reduce(0) { $0 + $1.count }
            }
        }
    }

    static func canonicalText(_ points: [Point]) -> String {
        points.map(\.canonicalText).joined(separator: " ")
    }
}

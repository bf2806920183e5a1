import Glibc

/// The square projection of web maps: all longitudes, latitudes to ±85.0511287798066°.
package enum WebMercator {
    /// The latitude of the square's northern edge: atan(sinh π).
    package static let latitudeLimit = 85.0511287798066

    /// The longitude of the western edge of `column`; `column` may be 2^zoom, the eastern edge of the world.
    package static func longitude(ofColumn column: UInt64, zoom: Int) -> Double {
        Double(column) / Double(UInt64(1) << UInt64(zoom)) * 360 - 180
    }

    /// The latitude of the northern edge of `row`; `row` may be 2^zoom, the southern edge of the world.
    package static func latitude(ofRow row: UInt64, zoom: Int) -> Double {
        let fraction = Double(row) / Double(UInt64(1) << UInt64(zoom))
        return atan(sinh(.pi * (1 - 2 * fraction))) * 180 / .pi
    }

    /// 0 at 180° west, 1 at 180° east.
    package static func x(ofLongitude longitude: Double) -> Double { longitude / 360 + 0.5 }

    /// 0 at the northern edge, 1 at the southern; latitudes beyond the square lie on its edge.
    package static func y(ofLatitude latitude: Double) -> Double {
        let clamped = min(max(latitude, -latitudeLimit), latitudeLimit) * .pi / 180
        return min(max(0.5 - asinh(tan(clamped)) / (2 * .pi), 0), 1)
    }

    /// The latitude at a height in the square, 0 at its northern edge and 1 at its southern.
    package static func latitude(ofY y: Double) -> Double { atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi }

    /// How much larger the map is at a zoom, which need not be whole, than at zoom 0.
    package static func power(ofTwo zoom: Double) -> Double { exp2(zoom) }
}

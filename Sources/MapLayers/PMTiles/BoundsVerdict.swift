/// How an archive's bounds lie to the box that its tiles of the highest zoom fill.
///
/// The tiles' box reaches over the data's by up to a tile on each side, and a writer may add one more as a buffer.
enum BoundsVerdict: Hashable, Sendable {
    case fits
    /// They have nothing in common.
    case elsewhere
    /// Tiles lie outside of the bounds by more than two tiles and a quarter of the bounds' own extent.
    case tooSmall
    /// Over 16 times the area of the tiles, two tiles added on each side.
    case tooLarge

    init(_ bounds: E7Box, tiles: E7Box, zoom: Int) {
        guard !bounds.intersection(tiles).isEmpty else {
            self = .elsewhere
            return
        }
        // In the square of the projection, where all tiles of a zoom are equal.
        let (given, found) = (Square(bounds), Square(tiles))
        let tile = 1 / Double(UInt64(1) << UInt64(zoom))
        let (slackX, slackY) = (2 * tile + given.width / 4, 2 * tile + given.height / 4)
        if found.west < given.west - slackX || found.east > given.east + slackX || found.north < given.north - slackY
            || found.south > given.south + slackY
        {
            self = .tooSmall
        } else if given.width * given.height > 16 * (found.width + 4 * tile) * (found.height + 4 * tile) {
            self = .tooLarge
        } else {
            self = .fits
        }
    }

    private struct Square {
        let west, north, east, south: Double

        init(_ box: E7Box) {
            let edges = box.degrees
            west = WebMercator.x(ofLongitude: edges[0])
            south = WebMercator.y(ofLatitude: edges[1])
            east = WebMercator.x(ofLongitude: edges[2])
            north = WebMercator.y(ofLatitude: edges[3])
        }

        var width: Double { east - west }
        var height: Double { south - north }
    }
}

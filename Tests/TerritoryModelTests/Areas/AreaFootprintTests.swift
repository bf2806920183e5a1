import Diagnostics
import TerritoryModel
import Testing

@Suite struct AreaFootprintTests {
    private func footprint(_ text: String, buffer: UInt64? = nil) throws -> AreaFootprint {
        AreaFootprint(
            try AreaDocument.area(StrictJSON.parse(Array(text.utf8)), form: .either, bufferMeters: buffer))
    }

    private func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> HalfOpenBox {
        HalfOpenBox(west: west, south: south, east: east, north: north)
    }

    private static let square =
        #"{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,2]],[[0.5,0.5],[1.5,0.5],[1.5,1.5],[0.5,1.5]]]}"#

    @Test func bordersBelong() throws {
        let area = try footprint(Self.square)
        for (longitude, latitude, isIn) in [
            (0, 0, true), (20_000_000, 20_000_000, true), (10_000_000, 0, true), (-1, 0, false),
            (20_000_001, 10_000_000, false), (2_000_000, 2_000_000, true), (10_000_000, 10_000_000, false),
            (5_000_000, 10_000_000, true), (5_000_001, 10_000_000, false),
        ] as [(Int64, Int64, Bool)] {
            #expect(area.contains(longitude: longitude, latitude: latitude) == isIn, "\(longitude),\(latitude)")
        }
    }

    @Test func boxesKeepTheirWestAndSouthEdgesOnly() throws {
        let area = try footprint(Self.square)
        #expect(area.meets(box(2, 0, 3, 1)))  // its west edge is the area's east edge
        #expect(!area.meets(box(-1, 0, 0, 1)))  // its east edge is the area's west edge
        #expect(area.meets(box(0, 2, 1, 3)))
        #expect(!area.meets(box(0, -1, 1, 0)))
        #expect(area.meets(box(2, 2, 3, 3)))
        #expect(!area.meets(box(-1, -1, 0, 0)))
        #expect(!area.meets(box(2, -1, 3, 0)))
    }

    @Test func holesAreHonoured() throws {
        let area = try footprint(Self.square)
        #expect(area.relation(of: box(0.75, 0.75, 1.25, 1.25)) == .outside)
        #expect(area.relation(of: box(0.5, 0.75, 1.25, 1.25)) == .partly)
        #expect(area.relation(of: box(0.75, 0.75, 1.5, 1.25)) == .outside)  // touches the hole with its east edge
        #expect(area.relation(of: box(0.1, 0.1, 0.4, 0.4)) == .inside)
        #expect(area.relation(of: box(0, 0, 2, 0.5)) == .inside)
        #expect(area.relation(of: box(0, 0, 2, 2)) == .partly)
    }

    /// The rule again, in the plainest way: is a point of a fine grid in both?
    @Test func agreesWithBruteForceOnRandomAreas() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed of agreesWithBruteForceOnRandomAreas: \(seed)")
        var random = SplitMix(seed: seed)
        for _ in 0..<60 {
            let points = (0..<Int.random(in: 3...7, using: &random)).map { _ in
                (Int64.random(in: 0...24, using: &random), Int64.random(in: 0...24, using: &random))
            }
            let document: JSONValue = [
                "type": "Polygon",
                "coordinates": [
                    .array(
                        points.map {
                            [
                                .number(JSONNumber(Double($0.0) / 1e7) ?? JSONNumber(Int64(0))),
                                .number(JSONNumber(Double($0.1) / 1e7) ?? JSONNumber(Int64(0))),
                            ]
                        })
                ],
            ]
            guard let area = try? AreaDocument.area(document, form: .polygons, bufferMeters: nil) else { continue }
            let footprint = AreaFootprint(area)
            guard case .polygons(let polygons) = area.shape else { continue }
            let ring = polygons[0].outer.map { (Double($0.longitude), Double($0.latitude)) }
            for _ in 0..<40 {
                let west = Int64.random(in: -2...24, using: &random), south = Int64.random(in: -2...24, using: &random)
                let box = HalfOpenBox(
                    west: west, south: south, east: west + .random(in: 1...6, using: &random),
                    north: south + .random(in: 1...6, using: &random))
                let found = footprint.relation(of: box)
                let expected = Self.sampled(ring, box)
                // Sampling may miss a corner that is cut off between two samples, never find one that is not there.
                if expected.some { #expect(found != .outside, "\(ring) \(box)") }
                if !expected.all { #expect(found != .inside, "\(ring) \(box)") }
                if found != .outside, !expected.some { #expect(Self.nearlyMeets(ring, box), "\(ring) \(box)") }
            }
        }
    }

    private static func sampled(_ ring: [(Double, Double)], _ box: HalfOpenBox) -> (some: Bool, all: Bool) {
        var (some, all) = (false, true)
        var x = Double(box.west)
        while x < Double(box.east) {
            var y = Double(box.south)
            while y < Double(box.north) {
                if contains(ring, x, y) { some = true } else { all = false }
                y += 0.125
            }
            x += 0.125
        }
        return (some, all)
    }

    private static func contains(_ ring: [(Double, Double)], _ x: Double, _ y: Double) -> Bool {
        var isIn = false
        var (px, py) = ring[ring.count - 1]
        for (qx, qy) in ring {
            let cross = (qx - px) * (y - py) - (x - px) * (qy - py)
            if cross == 0, min(px, qx) <= x, x <= max(px, qx), min(py, qy) <= y, y <= max(py, qy) { return true }
            if (py > y) != (qy > y), x < (qx - px) * (y - py) / (qy - py) + px { isIn.toggle() }
            (px, py) = (qx, qy)
        }
        return isIn
    }

    /// Whether the area comes within a sample's width of the box.
    private static func nearlyMeets(_ ring: [(Double, Double)], _ box: HalfOpenBox) -> Bool {
        for (start, end) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
            for step in 0...4_000 {
                let t = Double(step) / 4_000
                let (x, y) = (start.0 + t * (end.0 - start.0), start.1 + t * (end.1 - start.1))
                if x > Double(box.west) - 0.2, x < Double(box.east) + 0.01, y > Double(box.south) - 0.2,
                    y < Double(box.north) + 0.01
                {
                    return true
                }
            }
        }
        return false
    }

    // MARK: Buffers

    @Test func buffersReachAsFarAsTheySay() throws {
        let line = #"{"type":"LineString","coordinates":[[9.5,60],[9.6,60]]}"#
        let area = try footprint(line, buffer: 1_000)
        // 1,000 m are 0.0089932° of latitude, and 0.0179864° of longitude at 60°.
        #expect(area.contains(longitude: 95_500_000, latitude: 600_000_000 + 89_900))
        #expect(!area.contains(longitude: 95_500_000, latitude: 600_000_000 + 90_000))
        #expect(area.contains(longitude: 95_000_000 - 179_800, latitude: 600_000_000))
        #expect(!area.contains(longitude: 95_000_000 - 180_000, latitude: 600_000_000))
        #expect(area.relation(of: box(9.52, 60.001, 9.53, 60.002)) == .inside)
        #expect(area.relation(of: box(9.52, 60.1, 9.53, 60.2)) == .outside)
        #expect(area.relation(of: box(9, 59, 10, 61)) == .partly)
    }

    @Test func boxesBelongWheneverOneOfTheirPointsDoes() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed of boxesBelongWheneverOneOfTheirPointsDoes: \(seed)")
        var random = SplitMix(seed: seed)
        let area = try footprint(
            #"{"type":"MultiLineString","coordinates":[[[9.5,47.1],[9.55,47.2],[9.6,47.15]],[[9.7,47.3],[9.71,47.3]]]}"#,
            buffer: 1_500)
        for _ in 0..<2_000 {
            let west = Int64.random(in: 94_500_000...97_500_000, using: &random)
            let south = Int64.random(in: 470_500_000...473_500_000, using: &random)
            let side = Int64.random(in: 1...400_000, using: &random)
            let box = HalfOpenBox(west: west, south: south, east: west + side, north: south + side)
            let corners = [(west, south), (west + side - 1, south), (west + side - 1, south + side - 1)]
            let belong = corners.map { area.contains(longitude: $0.0, latitude: $0.1) }
            let relation = area.relation(of: box)
            if belong.contains(true) { #expect(relation != .outside, "\(box)") }
            if belong.contains(false) { #expect(relation != .inside, "\(box)") }
        }
    }

    @Test func buffersReachOverTheAntimeridian() throws {
        let area = try footprint(#"{"type":"LineString","coordinates":[[179.99,0],[179.995,0]]}"#, buffer: 2_000)
        #expect(area.contains(longitude: -1_799_900_000, latitude: 0))
        #expect(area.meets(box(-180, -0.01, -179.995, 0.01)))
        #expect(!area.meets(box(-179.9, -0.01, -179.8, 0.01)))
    }

    @Test func poleToPoleIsAllOfIt() throws {
        let world = AreaFootprint(try RegionArea(BoundingBox(west: -180, south: -90, east: 180, north: 90)))
        #expect(world.relation(of: box(-180, -90, 180, 90)) == .inside)
    }
}

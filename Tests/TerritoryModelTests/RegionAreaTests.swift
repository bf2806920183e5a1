import Diagnostics
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct RegionAreaTests {
    private static func rows(_ key: String) throws -> [JSONValue] {
        try #require(try Documents.value("regions.json")[path: key]?.arrayValue)
    }

    private func area(_ row: JSONValue) throws -> RegionArea {
        try RegionArea(
            geoJSON: #require(row[path: "area"]), bufferMeters: row[path: "buffer_m"]?.numberValue?.unsignedInteger)
    }

    @Test func textsAndIDsAreTheVectors() throws {
        let rows = try Self.rows("accept")
        #expect(rows.count == 14)
        for row in rows {
            let area = try area(row)
            let source = try TerritoryID(parsing: row[path: "source"]?.stringValue ?? "")
            #expect(area.canonicalText == row[path: "text"]?.stringValue, "\(row)")
            #expect(area.territoryID(cutFrom: source).rawValue == row[path: "territory_id"]?.stringValue)
        }
    }

    @Test func areasAreWrittenInAnOrderThatIsReadBackAlike() throws {
        for row in try Self.rows("accept") {
            let area = try area(row)
            #expect(try RegionArea(geoJSON: area.geoJSON, bufferMeters: area.bufferMeters) == area)
        }
    }

    @Test func refusesWhatTheVectorsRefuse() throws {
        let rows = try Self.rows("refuse")
        #expect(rows.count == 9)
        for row in rows {
            let error = try fault { _ = try area(row) }
            #expect(error.code.name == "area.invalid", "\(row)")
        }
    }

    @Test("Case 21: coordinates are rounded to 1e-7 degrees, never cut")
    func case021() throws {
        for (degrees, units) in [
            (137.6924403, 1_376_924_403), (173.5475895, 1_735_475_895), (-102.024217, -1_020_242_170),
            (0.00000005, 1), (-0.00000005, -1), (0.000000049, 0),
        ] as [(Double, Int32)] {
            let east: Double = degrees < 170 ? degrees + 1 : 179
            let box = try BoundingBox(west: degrees, south: 1, east: east, north: 2)
            let text = try RegionArea(box).canonicalText
            #expect(text.hasPrefix("\(units),10000000 "), "\(text)")
        }
    }

    @Test("Case 93: the same box in other notations is the same region")
    func case093() throws {
        let source = try TerritoryID(parsing: "japan")
        let ids = try ["13.4", "13.40", "1.34e1", "13.400000000000000001", "13.40000004"].map { notation in
            let text = #"{"type":"Polygon","coordinates":[[[\#(notation),-0.0],[14,0],[14,1],[\#(notation),1]]]}"#
            return try RegionArea(geoJSON: StrictJSON.parse(Array(text.utf8))).territoryID(cutFrom: source)
        }
        #expect(Set(ids).count == 1)
        let box = try BoundingBox(west: 139.745438, south: 35.658581, east: 139.7455, north: 35.66)
        #expect(try RegionArea(box).boundingBox == box)
    }

    @Test func boxAcrossTheAntimeridianIsTwoThatMeetThere() throws {
        let box = try BoundingBox(west: 177, south: -20, east: -178, north: -12)
        let rows = try Self.rows("accept")
        let given = try area(#require(rows.last))
        #expect(try RegionArea(box) == given)
        #expect(try given.boundingBox == box)
    }

    @Test(arguments: [
        (#"{"type":"Polygon","coordinates":[]}"#, "has no ring"),
        (#"{"type":"Polygon"}"#, "no list of rings"),
        (#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]],[[0.1,0.1],[0.2,0.1]]]}"#, "hole 1 has 2"),
        (#"{"type":"MultiPolygon","coordinates":[]}"#, "no list of polygons"),
        (#"{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1]]],[[[0,0],[1,1]]]]}"#, "polygon 2 has 2"),
        (#"{"type":"Polygon","coordinates":[[[0,0],[1],[1,1]]]}"#, "position 2 is no longitude"),
        (#"{"type":"Polygon","coordinates":[[[0,0],[1,0,null],[1,1]]]}"#, "has 3 coordinates"),
        (#"{"type":"Polygon","coordinates":[[[0,0],[0.00000004,0],[0,0.00000004]]]}"#, "has 1 different"),
        (#"{"type":"Polygon","coordinates":[[[0,0],[180.0000001,0],[1,1]]]}"#, "out of range"),
        (#"{"type":"Polygon","coordinates":[[[0,0],[1,-90.0000001],[1,1]]]}"#, "out of range"),
        (#"{"type":"Polygon","coordinates":[[[0,0],[1e300,0],[1,1]]]}"#, "out of range"),
        (#"{"type":"Feature","geometry":null}"#, "no kind of area"), (#"{"coordinates":[]}"#, "object with a type"),
    ])
    func refusesWithTheReason(_ text: String, _ reason: String) throws {
        let value = try StrictJSON.parse(Array(text.utf8))
        let error = try fault { _ = try RegionArea(geoJSON: value) }
        #expect(error.message.contains(reason), "\(error)")
    }

    @Test func buffersAndPointsHaveLimits() throws {
        let line: JSONValue = ["type": "LineString", "coordinates": [[0, 0], [1, 1]]]
        for (buffer, isFine) in [(0, false), (1, true), (100_000, true), (100_001, false)] as [(UInt64, Bool)] {
            #expect(accepts { _ = try RegionArea(geoJSON: line, bufferMeters: buffer) } == isFine, "\(buffer)")
        }
        func zigzag(_ count: Int) -> JSONValue {
            let ring = (0..<count).map { index -> JSONValue in
                let angle = Double(index) / Double(count) * 2 * .pi
                return [.number(JSONNumber(Int64(index % 180))), .number(JSONNumber(angle) ?? JSONNumber(Int64(0)))]
            }
            return ["type": "Polygon", "coordinates": .array([.array(ring + ring.prefix(1))])]
        }
        #expect(accepts { _ = try RegionArea(geoJSON: zigzag(100_000)) })
        let error = try fault { _ = try RegionArea(geoJSON: zigzag(100_001)) }
        #expect(error.message.contains("more than 100000 points"))
    }

    @Test func collinearPointsStay() throws {
        let value: JSONValue = ["type": "Polygon", "coordinates": [[[0, 0], [1, 0], [2, 0], [2, 2]]]]
        #expect(try RegionArea(geoJSON: value).canonicalText == "0,0 10000000,0 20000000,0 20000000,20000000")
    }

    @Test func buffersWidenTheBox() throws {
        let line: JSONValue = [
            "type": "LineString", "coordinates": [[9.5, 60], [9.5, 60], [9.5, 59]],
        ]
        let box = try RegionArea(geoJSON: line, bufferMeters: 1_110).boundingBox
        #expect(box.south == 58.99 && box.north == 60.01)
        // 0.01 / cos(60.01°), outward
        #expect(box.west == 9.4799939 && box.east == 9.5200061)
    }

    @Test func widenedBoxesStayOnTheGlobe() throws {
        func box(_ coordinates: JSONValue, _ buffer: UInt64) throws -> BoundingBox {
            try RegionArea(geoJSON: ["type": "LineString", "coordinates": coordinates], bufferMeters: buffer)
                .boundingBox
        }
        let pole = try box([[0, 89.9], [1, 90]], 100_000)
        #expect(pole.west == -180 && pole.east == 180 && pole.north == 90)
        let edge = try box([[180, 0], [180, 1]], 100_000)
        #expect(edge.east == 180 && edge.west < 179.1 && !edge.crossesAntimeridian)
        let fiji: JSONValue = [
            [[[-180, 0], [-179, 0], [-179, 1]]], [[[179, 0], [180, 0], [180, 1]]],
        ]
        let crossing = try RegionArea(
            geoJSON: ["type": "MultiPolygon", "coordinates": fiji], bufferMeters: 111_000 / 2)
        #expect(try crossing.boundingBox.crossesAntimeridian)
        let world = try RegionArea(BoundingBox(west: -180, south: -90, east: 180, north: 90), bufferMeters: 1)
        #expect(try world.boundingBox == BoundingBox(west: -180, south: -90, east: 180, north: 90))
    }

    @Test func ringsAreOneAreaHoweverTheyAreGiven() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed of ringsAreOneAreaHoweverTheyAreGiven: \(seed)")
        var random = SplitMix(seed: seed)
        for _ in 0..<50 {
            let count = Int.random(in: 3...20, using: &random)
            let points = (0..<count).map { index -> JSONValue in
                [.number(JSONNumber(Int64(index * index))), .number(JSONNumber(Int64(random.next() % 90)))]
            }
            guard let area = try? RegionArea(geoJSON: ["type": "Polygon", "coordinates": [.array(points)]]) else {
                continue
            }
            let start = Int.random(in: 0..<count, using: &random)
            var turned = Array(points[start...] + points[..<start])
            if Bool.random(using: &random) { turned.reverse() }
            if Bool.random(using: &random) { turned.append(turned[0]) }
            #expect(try RegionArea(geoJSON: ["type": "Polygon", "coordinates": [.array(turned)]]) == area)
        }
    }
}

import Diagnostics
import TerritoryModel
import Testing

@Suite struct AreaDocumentTests {
    private func area(
        _ text: String, _ form: AreaDocument.Form = .polygons, buffer: UInt64? = nil
    ) throws -> RegionArea {
        try AreaDocument.area(StrictJSON.parse(Array(text.utf8)), form: form, bufferMeters: buffer)
    }

    private func ring(_ points: [(Double, Double)]) -> JSONValue {
        .array(
            points.map {
                [JSONNumber($0.0).map(JSONValue.number) ?? .null, JSONNumber($0.1).map(JSONValue.number) ?? .null]
            })
    }

    @Test func featuresAndCollectionsGiveAllTheirPolygons() throws {
        let square = #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}"#
        let two = #"{"type":"MultiPolygon","coordinates":[[[[2,0],[3,0],[3,1]]],[[[4,0],[5,0],[5,1]]]]}"#
        let plain = try area(square)
        #expect(try area(#"{"type":"Feature","properties":null,"geometry":\#(square)}"#) == plain)
        let all = try area(
            """
            {"type":"FeatureCollection","features":[{"type":"Feature","geometry":\(square)},
            {"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[\(two)]}}]}
            """)
        guard case .polygons(let polygons) = all.shape else { return #expect(Bool(false)) }
        #expect(polygons.count == 3)
        #expect(all.canonicalText.hasPrefix(plain.canonicalText + ";"))
    }

    @Test(arguments: [
        (
            #"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4]],[[9,0],[9,1],[10,0]]]}"#,
            "hole 1 lies outside of its outer ring"
        ),
        (#"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4]],[[0,0],[4,4],[4,0]]]}"#, "leave nothing of it"),
        (
            #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null}]}"#,
            "feature 1 has no geometry"
        ),
        (
            String(repeating: #"{"type":"GeometryCollection","geometries":["#, count: 9)
                + String(repeating: "]}", count: 9), "nested more than 8 deep"
        ),
        (#"{"type":"Polygon","coordinates":[[[0,0],[2,2],[2,0],[0,1]]]}"#, "crosses itself"),
        (#"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[2,0.5],[0,4],[0,2],[4,1],[0,1]]]}"#, "crosses itself"),
        (#"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,2],[2,0],[0,2]]]}"#, "crosses itself"),
        (#"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[4,1]]]}"#, "runs back"),
        (
            #"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,4]],[[3,1],[5,1],[5,2],[3,2]]]}"#,
            "crosses itself or another"
        ),
        (#"{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}"#, "has 2 different points"),
        (#"{"type":"Polygon","coordinates":[[[0,0],[1,1],[2,2],[0,0]]]}"#, "has no area"),
        (#"{"type":"Polygon","coordinates":[[[0,0],[0,91],[1,1]]]}"#, "out of range"),
        (#"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#, "a line is open"),
        (#"{"type":"Point","coordinates":[0,0]}"#, "no kind of area"),
        (#"{"type":"FeatureCollection","features":[]}"#, "there is no polygon"),
        (#"{"type":"Feature","geometry":null}"#, "no geometry"),
        (
            #"{"type":"GeometryCollection","geometries":[{"type":"LineString","coordinates":[[0,0],[1,1]]},{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1]]]}]}"#,
            "polygons and lines"
        ),
        (
            #"{"type":"Polygon","coordinates":[[[0,60],[120,60],[-120,60],[0,60]]]}"#, "around a pole"
        ),
    ])
    func refusesWithTheReason(_ text: String, _ reason: String) throws {
        let error = try fault { _ = try area(text) }
        #expect(error.code == .areaInvalid)
        #expect(error.message.contains(reason), "\(error)")
    }

    @Test func numbersThatAreNoneAreRefused() {
        for text in ["NaN", "nan", "Infinity", "1e999", "null"] {
            #expect(throws: SnpackError.self, "\(text)") {
                try area(#"{"type":"Polygon","coordinates":[[[\#(text),0],[1,0],[1,1]]]}"#)
            }
        }
    }

    @Test func ringsMayTouchOtherRings() throws {
        let touching = #"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,4]],[[0,2],[2,1],[2,3]]]}"#
        #expect(throws: Never.self) { try area(touching) }
    }

    @Test func coastlinesOfAHundredThousandPointsTakeSeconds() throws {
        let count = 100_000
        let coast = (0..<count).map { index -> (Double, Double) in
            let angle = Double(index) / Double(count) * 2 * .pi
            let radius = 3 + 0.2 * sine(angle * 37) + 0.01 * sine(angle * 5_003)
            return (10 + radius * sine(angle + .pi / 2), 50 + radius * sine(angle))
        }
        let document: JSONValue = ["type": "Polygon", "coordinates": .array([ring(coast)])]
        let clock = ContinuousClock()
        let took = try clock.measure {
            let area = try AreaDocument.area(document, form: .polygons, bufferMeters: nil)
            let footprint = AreaFootprint(area)
            #expect(footprint.contains(longitude: 100_000_000, latitude: 500_000_000))
            #expect(!footprint.contains(longitude: 140_000_000, latitude: 500_000_000))
        }
        #expect(took < .seconds(60), "\(took)")
        // Two points change places: it crosses itself somewhere among all the others.
        var crossing = coast
        crossing.swapAt(70_000, 70_400)
        let bad: JSONValue = ["type": "Polygon", "coordinates": .array([ring(crossing)])]
        let error = try fault { _ = try AreaDocument.area(bad, form: .polygons, bufferMeters: nil) }
        #expect(error.message.contains("crosses itself"))
    }

    /// Enough of a sine for an outline, without a C library.
    private func sine(_ angle: Double) -> Double {
        var rest = angle.truncatingRemainder(dividingBy: 2 * .pi)
        if rest > .pi { rest -= 2 * .pi }
        let parabola = 4 / .pi * rest - 4 / (.pi * .pi) * rest * abs(rest)
        return 0.225 * (parabola * abs(parabola) - parabola) + parabola
    }

    // MARK: The antimeridian

    @Test func outlinesThatJumpAreTheBoxesThatMeetThere() throws {
        let box = try RegionArea(BoundingBox(west: 177, south: -20, east: -178, north: -12))
        for start in 0..<4 {
            var corners: [(Double, Double)] = [(177, -20), (-178, -20), (-178, -12), (177, -12)]
            corners = Array(corners[start...] + corners[..<start])
            for points in [corners, corners.reversed()] {
                let document: JSONValue = ["type": "Polygon", "coordinates": .array([ring(points)])]
                let found = try AreaDocument.area(document, form: .polygons, bufferMeters: nil)
                #expect(found == box, "\(found.canonicalText)")
            }
        }
    }

    @Test func outlinesThatJumpOftenAreCutIntoAllTheirParts() throws {
        // A comb whose back lies in the west and whose two teeth reach over 180°, with a hole on it and one beside it.
        let comb = ring([
            (170, 0), (-178, 0), (-178, 1), (172, 1), (172, 2), (-178, 2), (-178, 3), (170, 3),
        ])
        let over = ring([(179.5, 0.25), (-179.5, 0.25), (-179.5, 0.75), (179.5, 0.75)])
        let beside = ring([(-179, 2.25), (-178.5, 2.25), (-178.5, 2.75), (-179, 2.75)])
        let document: JSONValue = ["type": "Polygon", "coordinates": .array([comb, over, beside])]
        let area = try AreaDocument.area(document, form: .polygons, bufferMeters: nil)
        guard case .polygons(let polygons) = area.shape else { return #expect(Bool(false)) }
        #expect(polygons.count == 3)
        #expect(polygons.map(\.holes.count).reduce(0, +) == 1)
        let footprint = AreaFootprint(area)
        func isIn(_ longitude: Double, _ latitude: Double) -> Bool {
            footprint.contains(longitude: Int64(longitude * 1e7), latitude: Int64(latitude * 1e7))
        }
        #expect(isIn(171, 1.5) && !isIn(175, 1.5) && !isIn(-179, 1.5))
        #expect(isIn(179.9, 0.1) && isIn(-179.9, 0.1) && !isIn(179.9, 0.5) && !isIn(-179.9, 0.5))
        #expect(isIn(-178.2, 2.5) && !isIn(-178.75, 2.5) && isIn(-179, 2.5) && isIn(180, 2.5) && isIn(-180, 2.5))
    }

    @Test func linesThatJumpAreCutToo() throws {
        let line = #"{"type":"LineString","coordinates":[[179,0],[-179,2],[-178,2]]}"#
        let found = try area(line, .corridor, buffer: 1_000)
        #expect(
            found.canonicalText
                == "line -1800000000,10000000 -1790000000,20000000 -1780000000,20000000;line 1790000000,0 1800000000,10000000\nbuffer 1000"
        )
    }

    @Test func theWorldIsNoJump() throws {
        let world = #"{"type":"Polygon","coordinates":[[[-180,-90],[180,-90],[180,90],[-180,90],[-180,-90]]]}"#
        #expect(try area(world) == RegionArea(BoundingBox(west: -180, south: -90, east: 180, north: 90)))
    }

    // MARK: Batches

    @Test func collectionsNameTheirAreas() throws {
        let text = """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"name":"West"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1]]]}},
            {"type":"Feature","properties":{"name":"Trail"},"geometry":{"type":"LineString","coordinates":[[0,0],[1,0]]}}]}
            """
        let document = try StrictJSON.parse(Array(text.utf8))
        let areas = try AreaDocument.namedAreas(document, bufferMeters: 10)
        #expect(areas.map(\.name) == ["West", "Trail"])
        let error = try fault { _ = try AreaDocument.namedAreas(document, bufferMeters: nil) }
        #expect(error.message.contains("feature 2, \"Trail\""), "\(error)")
        let nameless = try StrictJSON.parse(Array(text.replacing("\"Trail\"", with: "\"\"").utf8))
        #expect(try fault { _ = try AreaDocument.namedAreas(nameless, bufferMeters: 10) }.message.contains("feature 2"))
    }
}

import Foundation
import MapLayers
import SnpackTestSupport
import Testing

@Suite struct PlaceReverseTests {
    @Test func nearestPlacesOfTheSampleAreThoseOfBruteForce() throws {
        let documents = try PlaceFixtures.sampleDocuments()
        let index = try PlaceFixtures.sampleIndex()
        var random = SeededGenerator()
        print("reverse in the sample, seed \(random.seed)")
        for round in 0..<200 {
            let wide = round % 4 == 0
            let lat = Double.random(in: wide ? -90...90 : 47.0...47.3, using: &random)
            let lon = Double.random(in: wide ? -180...180 : 9.4...9.7, using: &random)
            try check(index, documents, lat, lon, limit: [1, 3, 50].randomElement(using: &random) ?? 1)
        }
    }

    @Test func nearestPlacesOfTheWholeEarthAreThoseOfBruteForce() throws {
        var random = SeededGenerator()
        print("reverse on the Earth, seed \(random.seed)")
        var points: [(Double, Double)] = [(90, 0), (-90, 77), (0, 180), (0, -180), (10, 179.9999), (10, -179.9999)]
        for _ in 0..<300 {
            points.append((Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random)))
        }
        // Points on the edges of cells.
        for _ in 0..<100 {
            points.append(
                (
                    Double(Int.random(in: -200...200, using: &random)) * 0.005,
                    Double(Int.random(in: -200...200, using: &random)) * 0.005
                ))
        }
        let documents = try points.enumerated().map { number, point in
            try PlaceFixtures.place("Point", id: "\(number)", lat: point.0, lon: point.1)
        }
        let index = try PlaceFixtures.index(documents)
        let questions: [(Double, Double)] = [
            (90, 12), (-90, -12), (0, 180), (0, -180), (10, 180), (89.99, 180), (0, 0),
        ]
        for (lat, lon) in questions + points.prefix(60) { try check(index, documents, lat, lon, limit: 5) }
        for _ in 0..<100 {
            try check(
                index, documents, Double.random(in: -90...90, using: &random),
                Double.random(in: -180...180, using: &random), limit: 5)
        }
    }

    @Test func distancesAreMetresOnTheSphere() throws {
        let index = try PlaceFixtures.index([PlaceFixtures.place("North", lat: 48, lon: 9)])
        // One degree of latitude on a sphere of 6,371,008.8 m.
        let place = try #require(try index.reverse(lat: 47, lon: 9).first)
        #expect(abs((place.distanceM ?? 0) - 111_195.08) < 0.01)
        #expect(try index.reverse(lat: 48, lon: 9).first?.distanceM == 0)
        #expect(try index.reverse(lat: 48, lon: 9, limit: 0).isEmpty)
    }

    private func check(
        _ index: PlaceIndex, _ documents: [PlaceDocument], _ lat: Double, _ lon: Double, limit: Int
    ) throws {
        let point = try #require(PlacePosition(lat: lat, lon: lon))
        let expected = documents.map { point.distance(to: $0.position) }.sorted().prefix(limit)
        let found = try index.reverse(lat: lat, lon: lon, limit: limit)
        #expect(found.compactMap(\.distanceM) == Array(expected), "\(lat), \(lon)")
    }
}

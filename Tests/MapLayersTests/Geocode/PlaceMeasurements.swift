import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import Testing

/// Prints how long an index takes to build, open and search: `SNPACK_MEASURE_PLACES=1000000 swift test -c release`.
@Suite struct PlaceMeasurements {
    static let placeCount = ProcessInfo.processInfo.environment["SNPACK_MEASURE_PLACES"].flatMap { Int($0) }

    @Test(.enabled(if: placeCount != nil, "SNPACK_MEASURE_PLACES says how many places to make"))
    func measure() throws {
        let count = try #require(Self.placeCount)
        try ProjectFiles.inTemporaryDirectory { directory in
            let clock = ContinuousClock()
            let builder = try PlaceIndexBuilder(in: Directory.open(directory.path))
            var country = MadeUpCountry()
            var queries: [Query] = []
            let built = try clock.measure {
                for number in 0..<count {
                    let place = try country.place(number)
                    try builder.add(place, line: number)
                    if number % (count / 100) == 0 { queries += Query.all(for: place) }
                }
                let summary = try builder.finish()
                print("\(summary.documentCount) places: \(summary.byteCount >> 20) MiB, kinds \(summary.countsByKind)")
            }
            print("built in \(built), peak memory \(peakMemory())")
            try search(directory.path + "/places.sqlite", queries, clock)
        }
    }

    @Test(.enabled(if: placeCount != nil, "SNPACK_MEASURE_PLACES says how many places to make"))
    func measureTheSample() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let documents = try PlaceFixtures.sampleDocuments()
            let path = try PlaceFixtures.build(documents, in: directory)
            try search(path, documents.flatMap(Query.all), ContinuousClock())
        }
    }

    private func search(_ path: String, _ queries: [Query], _ clock: ContinuousClock) throws {
        try evict(path)
        var index: PlaceIndex?
        let opened = try clock.measure { index = try PlaceIndex(opening: path) }
        print("opened cold in \(opened)")
        let open = try #require(index)
        let first = try clock.measure { _ = try open.search("bahnhofstr", near: (47.1, 9.5)) }
        print("first search \(first)")
        for kind in ["whole name", "8 letters", "3 letters", "1 letter", "with place"] {
            for isNear in [false, true] {
                var times: [Duration] = []
                var slowest: (Duration, String) = (.zero, "")
                for query in queries where query.kind == kind {
                    let near = isNear ? query.near : nil
                    let time = try clock.measure { _ = try open.search(query.text, near: near, limit: 10) }
                    times.append(time)
                    if time > slowest.0 { slowest = (time, query.text) }
                }
                times.sort()
                let tail = times[times.count * 95 / 100]
                print("\(kind), near \(isNear): median \(times[times.count / 2]), 95 % \(tail), slowest \(slowest)")
            }
        }
        var times: [Duration] = []
        for query in queries {
            times.append(try clock.measure { _ = try open.reverse(lat: query.near.0, lon: query.near.1) })
        }
        times.sort()
        print("reverse: median \(times[times.count / 2]), slowest \(times[times.count - 1])")
    }

    /// Has the kernel forget the file's pages.
    private func evict(_ path: String) throws {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        fsync(descriptor)
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    }

    private func peakMemory() -> String {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }.map(String.init) ?? "?"
    }

    private struct Query {
        let kind: String
        let text: String
        let near: (Double, Double)

        static func all(for place: PlaceDocument) -> [Query] {
            let near = (place.position.lat, place.position.lon)
            return [
                Query(kind: "whole name", text: place.name, near: near),
                Query(kind: "8 letters", text: String(place.name.prefix(8)), near: near),
                Query(kind: "3 letters", text: String(place.name.prefix(3)), near: near),
                Query(kind: "1 letter", text: String(place.name.prefix(1)), near: near),
                Query(kind: "with place", text: "\(place.locality ?? "") \(place.name)", near: near),
            ]
        }
    }
}

/// Places of a country that is not there: towns, their streets with the names that every town has, and house numbers.
struct MadeUpCountry {
    private var random = SeededGenerator(seed: 42)
    private let starts = [
        "Alt", "Neu", "Ober", "Unter", "Gross", "Klein", "Wald", "See", "Berg", "Tal", "Stein", "Sankt ",
    ]
    private let ends = [
        "dorf", "ingen", "wil", "hausen", "bach", "feld", "au", "berg", "kirch", "stadt", "matt", "egg",
    ]
    private let streets = [
        "Haupt", "Bahnhof", "Dorf", "Kirch", "Schul", "Land", "Industrie", "Ring", "Garten", "Linden", "Berg", "Wiesen",
        "Post", "Markt", "Mühle", "Sonnen", "Birken", "Feld", "Rosen", "Bach", "Quell", "Rathaus", "Alpen", "Reben",
    ]
    private let streetEnds = ["strasse", "weg", "gasse", "platz", "straße", "rain", "halde", "steig"]
    private let pois = ["Restaurant", "Café", "Hotel", "Apotheke", "Museum", "Bäckerei", "Schule", "Garage", "Kapelle"]
    private let names = [
        "Krone", "Löwen", "Adler", "Sonne", "Post", "Rössli", "Hirschen", "Meier", "Müller", "Central",
    ]

    /// Place `number`: one town, then its 40 streets, 440 addresses and 40 others, and the next town.
    mutating func place(_ number: Int) throws -> PlaceDocument {
        let (town, part) = number.quotientAndRemainder(dividingBy: 521)
        let locality =
            starts[town % 12] + ends[town / 12 % 12] + (town < 144 ? "" : " \(ends[town / 144 % 12].capitalized)")
        let (lat, lon) = (45.9 + Double(town % 43) * 0.045, 6.0 + Double(town / 43) * 0.09)
        let spread = { (random: inout SeededGenerator) in Double.random(in: -0.01...0.01, using: &random) }
        let (latHere, lonHere) = (lat + spread(&random), lon + spread(&random))
        let postcode = "\(1000 + town % 9000)"
        func street(_ index: Int) -> String {
            streets[(index * 7 + town) % 24] + streetEnds[(index / 3 + town * 5) % 8]
        }
        switch part {
        case 0:
            return try PlaceFixtures.place(
                locality, kind: .locality, id: "\(number)", postcode: postcode, lat: lat, lon: lon,
                importance: Double.random(in: 0.3...0.9, using: &random))
        case 1...40:
            return try PlaceFixtures.place(
                street(part), kind: .street, id: "\(number)", locality: locality, postcode: postcode, lat: latHere,
                lon: lonHere, importance: 0.3)
        case 41...480:
            let house = "\(part / 40 * 3)\(part % 5 == 0 ? "a" : "")"
            return try PlaceFixtures.place(
                "\(street(part % 40 + 1)) \(house)", kind: .address, id: "\(number)", housenumber: house,
                street: street(part % 40 + 1), locality: locality, postcode: postcode, lat: latHere, lon: lonHere,
                importance: 0.1)
        default:
            return try PlaceFixtures.place(
                "\(pois[part % 9]) \(names[(part + town) % 10])", id: "\(number)", locality: locality,
                postcode: postcode,
                lat: latHere, lon: lonHere, importance: Double.random(in: 0.1...0.6, using: &random))
        }
    }
}

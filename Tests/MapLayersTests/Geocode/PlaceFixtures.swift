import Database
import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport

/// Places and indexes for the tests of search.
enum PlaceFixtures {
    /// An open index of `places.ndjson` of the sample, v1 or v2.
    static func sampleIndex(_ version: String = "v1") throws -> PlaceIndex {
        try index(ProjectFiles.sample.appending(path: "\(version)/geocode/places.ndjson"))
    }

    static func index(_ source: URL) throws -> PlaceIndex {
        // Once it is open, nothing of the index needs its name.
        try ProjectFiles.inTemporaryDirectory { directory in
            try build(OpenFile(reading: source.path), in: directory)
            return try PlaceIndex(opening: directory.path + "/places.sqlite")
        }
    }

    static func index(_ documents: [PlaceDocument]) throws -> PlaceIndex {
        try ProjectFiles.inTemporaryDirectory { directory in
            let path = try build(documents, in: directory)
            return try PlaceIndex(opening: path)
        }
    }

    @discardableResult
    static func build(_ file: any RandomAccess, in directory: URL) throws -> PlaceIndexSummary {
        let builder = try PlaceIndexBuilder(in: Directory.open(directory.path))
        try builder.add(contentsOf: file, named: "places.ndjson")
        return try builder.finish()
    }

    /// Builds `places.sqlite` and returns its path.
    static func build(_ documents: [PlaceDocument], in directory: URL) throws -> String {
        let builder = try PlaceIndexBuilder(in: Directory.open(directory.path))
        for (index, document) in documents.enumerated() { try builder.add(document, line: index + 1) }
        _ = try builder.finish()
        return directory.path + "/places.sqlite"
    }

    static func sampleDocuments(_ version: String = "v1") throws -> [PlaceDocument] {
        try documents(ProjectFiles.sample.appending(path: "\(version)/geocode/places.ndjson"))
    }

    static func documents(_ source: URL) throws -> [PlaceDocument] {
        var documents: [PlaceDocument] = []
        var faults = FaultList()
        try PlaceLines.forEach(
            in: OpenFile(reading: source.path), named: "places.ndjson", context: WorkContext(), faults: &faults
        ) { document, _ in documents.append(document) }
        try faults.throwIfAny("fixture")
        return documents
    }

    static func place(
        _ name: String, kind: PlaceKind = .poi, id: String? = nil, housenumber: String? = nil, street: String? = nil,
        locality: String? = nil, postcode: String? = nil, lat: Double = 47, lon: Double = 9, importance: Double = 0.5
    ) throws -> PlaceDocument {
        guard let position = PlacePosition(lat: lat, lon: lon) else { throw CocoaError(.coderInvalidValue) }
        return try PlaceDocument(
            id: id ?? "\(kind.rawValue):\(name):\(lat):\(lon)", kind: kind, name: name, housenumber: housenumber,
            street: street, locality: locality, postcode: postcode, countryCode: "LI", position: position,
            importance: importance)
    }
}

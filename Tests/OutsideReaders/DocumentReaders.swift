import Diagnostics
import TerritoryClient
import TerritoryFactory
import TerritoryModel
import TerritoryPackage

enum DocumentReaders {
    static func json(_ bytes: [UInt8]) throws(SnpackError) {
        let value = try StrictJSON.parse(bytes)
        let again = try StrictJSON.parse(value.canonicalBytes)
        mustHold(again.canonicalBytes == value.canonicalBytes, "the canonical form is not stable")
    }

    static func manifest(_ bytes: [UInt8]) throws(SnpackError) {
        let manifest = try Manifest(decoding: bytes)
        for layer in manifest.layers { mustHold(layer.blobPath.utf8.count < 1 << 10) }
    }

    static func index(_ bytes: [UInt8]) throws(SnpackError) {
        let index = try ChannelIndex(decoding: bytes)
        for territory in index.territories { mustHold(!territory.versions.isEmpty) }
    }

    static func signedIndex(_ bytes: [UInt8]) throws(SnpackError) {
        let file = try SignedIndexFile(decoding: bytes)
        _ = try ChannelIndex(decoding: file.index)
    }

    static func definition(_ bytes: [UInt8]) throws(SnpackError) {
        _ = try TerritoryDefinition(decoding: bytes, directory: "definitions")
    }

    /// As `cut` reads `--area` and `--corridor`, and as a manifest's `region` is read.
    static func area(_ bytes: [UInt8]) throws(SnpackError) {
        let value = try StrictJSON.parse(bytes)
        var areas: [RegionArea] = []
        for form in [AreaDocument.Form.polygons, .corridor, .either] {
            if let area = try? AreaDocument.area(value, form: form, bufferMeters: form == .polygons ? nil : 500) {
                areas.append(area)
            }
        }
        areas += (try? AreaDocument.namedAreas(value, bufferMeters: nil).map(\.area)) ?? []
        for area in areas {
            let again = try RegionArea(geoJSON: area.geoJSON, bufferMeters: area.bufferMeters)
            mustHold(again.canonicalText == area.canonicalText, "an area does not survive its own GeoJSON")
        }
        _ = try RegionArea(geoJSON: value)
    }

    static func version(_ bytes: [UInt8]) throws(SnpackError) {
        let halves = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        let left = try TerritoryVersion(parsing: String(decoding: halves[0], as: UTF8.self))
        mustHold(left == (try TerritoryVersion(parsing: left.description)) && !(left < left))
        guard halves.count == 2 else { return }
        let right = try TerritoryVersion(parsing: String(decoding: halves[1], as: UTF8.self))
        mustHold([left < right, left == right, right < left].count { $0 } == 1, "no order")
    }

    static func scalars(_ bytes: [UInt8]) throws(SnpackError) {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = try? TerritoryID(parsing: text)
        _ = try? LayerKind(parsing: text)
        _ = try? LayerPath(parsing: text)
        _ = try? ChannelName(parsing: text)
        _ = try? DisplayText(parsing: text)
        if let path = try? FilePath(decoding: bytes) { _ = try? FilePath(parsing: path.description) }
        let time = try Timestamp(parsing: text)
        mustHold((try Timestamp(parsing: time.description)) == time, "a time does not survive its own text")
    }

    static func mark(_ bytes: [UInt8]) throws(SnpackError) { _ = IndexMark(decoding: bytes) }
}

import Diagnostics
import Hashing
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct DocumentVectorTests {
    @Test(arguments: [Documents.manifest, Documents.olderManifest, Documents.regionManifest])
    func manifestsAreReadAndWrittenAlike(_ path: String) throws {
        let bytes = try Documents.bytes(path)
        let manifest = try Manifest(decoding: bytes)
        #expect(manifest.canonicalBytes == bytes)
        #expect(try Manifest(decoding: manifest.canonicalBytes) == manifest)
        #expect(path.hasSuffix(manifest.name.manifestPath))
    }

    @Test(arguments: [Documents.index, Documents.regionIndex])
    func indicesAreReadAndWrittenAlike(_ path: String) throws {
        let bytes = try Documents.bytes(path)
        let index = try ChannelIndex(decoding: bytes)
        #expect(index.canonicalBytes == bytes)
        #expect(index.isRegionIndex == path.hasPrefix("region") && index.isCountryIndex != index.isRegionIndex)
    }

    @Test func namesAndPathsAreDerived() throws {
        let manifest = try Manifest(decoding: Documents.bytes(Documents.manifest))
        let layer = try #require(manifest[.valhallaTiles])
        #expect(layer.address == "1880519a7df7818d")
        #expect(layer.directory == "layers/1880519a7df7818d")
        #expect(layer.blobPath == "layers/1880519a7df7818d/valhalla.tar.zst")
        #expect(layer.blob.chunkCount == 1)
        #expect(manifest.name.description == "liechtenstein@1.1.0")
        #expect(manifest.name.manifestPath == "territories/liechtenstein/1.1.0/manifest.json")
        #expect(manifest.requires.minimums.map { "\($0)>=\($1)" } == ["valhalla>=3.9.1"])
        #expect(manifest[.pmtiles] == nil)
    }

    @Test func entriesTellTheFactsOfTheirManifests() throws {
        for (indexPath, manifestPaths) in [
            (Documents.index, [Documents.manifest, Documents.olderManifest]),
            (Documents.regionIndex, [Documents.regionManifest]),
        ] {
            let index = try ChannelIndex(decoding: Documents.bytes(indexPath))
            for path in manifestPaths {
                let bytes = try Documents.bytes(path)
                let manifest = try Manifest(decoding: bytes)
                let territory = try #require(index[manifest.territoryID])
                try territory.check(manifest, listedAs: manifest.version)
                let entry = ChannelIndex.Version(of: manifest, manifestBlake3: .of(bytes))
                #expect(territory[manifest.version] == entry)
            }
        }
    }

    @Test(arguments: [
        ("index-format-2/overlay/index.json", "index.too-new"),
        ("critical-unknown/overlay/index.json", "index.too-new"),
        ("index-path-elsewhere/overlay/index.json", "index.malformed"),
        ("index-sequence-too-large/overlay/index.json", "index.malformed"),
        ("manifest-served-as-index/overlay/index.json", "index.malformed"),
    ])
    func refusesBadIndices(_ path: String, _ code: String) throws {
        let bytes = try Documents.bytes("channel-bad/" + path)
        let error = try fault { _ = try ChannelIndex(decoding: bytes) }
        #expect(error.code.name == code)
        #expect(error.code.exitStatus == (code == "index.too-new" ? .unsupported : .verification))
    }

    @Test(arguments: [
        ("manifest-files-absurd/overlay/territories/liechtenstein/1.1.0/manifest.json", ".files: "),
        ("manifest-layer-path-dotdot/overlay/territories/liechtenstein/1.1.0/manifest.json", ".path: "),
        ("region-id-not-of-its-area/overlay/territories/region-0123456789abcdef/1.1.0/manifest.json", "region.area: "),
    ])
    func refusesBadManifests(_ path: String, _ place: String) throws {
        let bytes = try Documents.bytes("channel-bad/" + path)
        let error = try fault { _ = try Manifest(decoding: bytes) }
        #expect(error.code.name == "manifest.malformed" && error.message.contains(place), "\(error)")
    }

    @Test(arguments: [
        "role-region-index-named-main", "index-mixes-region-and-country",
    ])
    func indicesOfNoRoleAreToldApart(_ name: String) throws {
        let index = try ChannelIndex(decoding: Documents.bytes("channel-bad/\(name)/overlay/index.json"))
        #expect(!index.isCountryIndex && !index.isRegionIndex)
    }

    @Test("Case 59: an index whose facts are not the manifest's is contradicted")
    func case059() throws {
        let manifest = try Manifest(decoding: Documents.bytes(Documents.manifest))
        for (path, value, fact) in [
            ("territories[0].versions[0].download_bytes", 10, "download_bytes"),
            ("territories[0].versions[0].total_bytes", 10, "total_bytes"),
            ("territories[0].versions[0].data_timestamp", "2013-09-01T00:00:01Z", "data_timestamp"),
            ("territories[0].versions[0].requires", nil, "requires"),
            ("territories[0].versions[0].requires.valhalla", "3.9.0", "requires"),
            ("territories[0].display_name", "Lichtenstein", "display_name"),
            ("territories[0].bbox[0]", 9.4, "bbox"),
        ] as [(String, JSONValue?, String)] {
            var document = try Documents.value(Documents.index)
            document[path: path] = value
            let index = try ChannelIndex(decoding: document.canonicalBytes)
            let error = try fault { try index[manifest.territoryID]?.check(manifest, listedAs: manifest.version) }
            #expect(
                error.code.name == "manifest.contradicts-index" && error.message.hasSuffix("in \(fact)"), "\(error)")
        }
    }

    @Test func manifestOfAnotherVersionContradictsItsEntry() throws {
        let directory = "channel-bad/manifest-of-other-version/overlay/"
        let index = try ChannelIndex(decoding: Documents.bytes(directory + "index.json"))
        let manifest = try Manifest(
            decoding: Documents.bytes(directory + "territories/liechtenstein/1.1.0/manifest.json"))
        let territory = try #require(index[manifest.territoryID])
        let version = try TerritoryVersion(parsing: "1.1.0")
        let error = try fault { try territory.check(manifest, listedAs: version) }
        #expect(error.message.contains("version"))
    }

    @Test("Case 95: unknown keys, another order and other notations are read")
    func case095() throws {
        let manifest = try Manifest(decoding: Documents.bytes(Documents.manifest))
        var value = try Documents.value(Documents.manifest)
        value[path: "unknown"] = ["layers": .null]
        value[path: "layers[0].unknown"] = [1, 2]
        value[path: "layers[0].blob.unknown"] = "\u{202E}"
        #expect(try Manifest(decoding: value.canonicalBytes) == manifest)
        let members = try #require(try Documents.value(Documents.manifest).objectValue).members.reversed().map {
            (key, value) in "\"\(key)\":" + String(decoding: value.canonicalBytes, as: UTF8.self)
        }
        let reordered = "{" + members.joined(separator: "\t,\r\n").replacing("9.47108", with: "947108e-5") + "}"
        #expect(try Manifest(decoding: Array(reordered.utf8)) == manifest)
    }
}

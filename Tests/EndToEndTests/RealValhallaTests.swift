import Foundation
import SnpackTestSupport
import Testing

/// Valhalla itself routes on what snpack hands out.
@Suite(.enabled(if: ValhallaService.isInstalled, "scripts/python-packages brings Valhalla's programs"))
struct RealValhallaTests {
    /// The known answer of the sample, versions 1 and 2.
    private func expectKnownRoute(on tiles: URL, in directory: URL) throws {
        let route = try #require(try ValhallaService(tiles: tiles, in: directory).route())
        #expect(route.length == 9.176 && route.time == 639.04 && route.manoeuvres == 14, "\(route)")
        #expect(route.streets.first == "Städtle")
    }

    @Test func routesOnTreeUnpackedFromTilesTar() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let tiles = directory.appending(path: "tiles")
            let tar = ProjectFiles.sample.appending(path: "v1/valhalla-tar/tiles.tar")
            let unpacked = try SnpackProcess.run(["valhalla", "unpack", tar.path, tiles.path])
            #expect(unpacked.status == 0, "\(unpacked)")
            try expectKnownRoute(on: tiles, in: directory)
        }
    }

    @Test(arguments: ["v1", "v2"])
    func routesOnTreeThatWentThroughPackage(version: String) throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let key = ProjectFiles.root.appending(path: "keys-example/factory.key").path
            let definition = directory.appending(path: "definition.json")
            let source = ProjectFiles.sample.appending(path: "\(version)/valhalla").path
            try Data(
                """
                {"id": "liechtenstein", "display_name": "Liechtenstein", "attribution": "© OpenStreetMap contributors",
                 "bbox": [9.47108, 47.04774, 9.636217, 47.27128], "data_timestamp": "2013-08-03T00:00:00Z",
                 "layers": [{"kind": "valhalla-tiles", "source": "\(source)"}]}
                """.utf8
            ).write(to: definition)
            for words in [
                ["build", definition.path, "--version", "1.0.0", "--out", "build"],
                ["sign", "build/liechtenstein/1.0.0", "--key", key],
                ["unpack", "build/liechtenstein/1.0.0", "-o", "package", "--no-verify"],
            ] {
                let result = try SnpackProcess.run(words, in: directory)
                #expect(result.status == 0, "\(result)")
            }
            try expectKnownRoute(on: directory.appending(path: "package/valhalla"), in: directory)
        }
    }
}

import Foundation
import SnpackTestSupport
import Testing

/// The catalogue that a channel shows to people, looked at with a real browser.
struct CatalogueTests {
    private static let hasChromium = (try? SystemTool.run("bash", ["-c", "command -v chromium"]))?.status == 0
    /// As `Tests/Browser/catalogue.py` expects it.
    private static let hostile =
        #"<img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script> 'עברית' & \u003c"#

    private func define(_ id: String, _ name: String, _ box: String, in shop: Workshop) throws {
        let name = try String(decoding: JSONEncoder().encode(name), as: UTF8.self)
        try shop.write(
            "\(id).json",
            """
            {"id": "\(id)", "display_name": \(name), "attribution": "nobody", "bbox": \(box),
             "data_timestamp": "2026-01-01T00:00:00Z", "layers": [{"kind": "extra", "source": "tree"}]}
            """)
    }

    @Test(.enabled(if: hasChromium, "needs Chromium (Debian: chromium)"))
    func peopleCanLookAtIt() throws {
        try Workshop.open { shop in
            try define("liechtenstein", "Liechtenstein", "[9.47, 47.05, 9.64, 47.27]", in: shop)
            try define("evil", Self.hostile, "[100, 0, 104, 5]", in: shop)
            try define("fiji", "Fidži", "[176.8, -21, -178.2, -12.4]", in: shop)
            for (id, version) in [
                ("liechtenstein", "1.0.0"), ("liechtenstein", "1.1.0"), ("evil", "1.0.0"), ("fiji", "2.0.0-rc.1"),
            ] {
                try shop.release(version, of: id)
            }
            let signing = ["--key", "keys/factory.key", "--channel"]
            try shop.done(
                ["publish", "build/liechtenstein/1.0.0", "build/liechtenstein/1.1.0", "build/evil/1.0.0"] + signing
                    + ["channel", "--valid-for", "30d"])
            try shop.done(["publish", "build/fiji/2.0.0-rc.1"] + signing + ["channel"])
            try shop.done(["yank", "liechtenstein@1.0.0", "--reason", Self.hostile] + signing + ["channel"])
            try shop.done(
                ["publish", "build/evil/1.0.0", "--state", "other.json"] + signing + ["expired", "--valid-for", "1s"])

            let script = ProjectFiles.root.appending(path: "Tests/Browser/catalogue.py").path
            let looked = try SystemTool.run(
                "python3", ["-B", script, "channel", "keys/factory.pub", "expired"], in: shop.root, seconds: 240)
            #expect(looked.status == 0, "\(looked)")
            #expect(looked.standardOutput.split(separator: "\n").count { $0.hasPrefix("ok ") } >= 60, "\(looked)")
        }
    }

    @Test func followsEveryChangeOfTheIndex() throws {
        try Workshop.open { shop in
            for version in ["1.0.0", "1.1.0", "1.2.0"] { try shop.release(version) }
            func catalogue() throws -> (sequence: Int?, versions: [String], yanked: [String]) {
                let object = try JSONSerialization.jsonObject(with: Data(shop.read("channel/catalogue.json")))
                let root = try #require(object as? [String: Any])
                let territories = try #require(root["territories"] as? [[String: Any]])
                let versions = try #require(territories.first?["versions"] as? [[String: Any]])
                #expect(territories.first?["attribution"] as? [String] == ["nobody"])
                let page = try String(decoding: shop.read("channel/index.html"), as: UTF8.self)
                #expect(page.contains(#"\"sequence\": \#(try shop.sequence()),"#))
                return (
                    root["sequence"] as? Int, versions.compactMap { $0["version"] as? String },
                    versions.compactMap { $0["yanked"] as? String }
                )
            }
            let signing = ["--channel", "channel", "--key", "keys/factory.key"]
            try shop.publish("1.0.0", "--valid-for", "30d")
            #expect(try catalogue() == (1, ["1.0.0"], []))
            try shop.publish("1.1.0")
            #expect(try catalogue() == (2, ["1.1.0", "1.0.0"], []))
            try shop.done(["yank", "demo@1.1.0", "--reason", "bad"] + signing)
            #expect(try catalogue() == (3, ["1.1.0", "1.0.0"], ["bad"]))
            try shop.done(["refresh"] + signing)
            #expect(try catalogue() == (4, ["1.1.0", "1.0.0"], ["bad"]))
            try shop.done(["republish", "demo@1.0.0", "--as", "1.3.0"] + signing)
            #expect(try catalogue() == (5, ["1.3.0", "1.1.0", "1.0.0"], ["bad"]))
            try shop.done(["prune", "--keep", "1"] + signing)
            #expect(try catalogue().versions == ["1.3.0"])

            try shop.done(
                "publish", "build/demo/1.2.0", "--channel", "channel", "--stage", "--factory-key", "keys/factory.pub")
            #expect(try catalogue().sequence == 6, "nothing is live yet")
            try shop.done("sign", "channel/.snpack/staged/index.json", "--key", "keys/factory.key")
            try shop.done("publish", "--commit", "--channel", "channel", "--factory-key", "keys/factory.pub")
            #expect(try catalogue() == (7, ["1.3.0", "1.2.0"], []))
            #expect(try shop.verify("channel").status == 0)

            let areas = try JSONSerialization.jsonObject(with: Data(shop.read("channel/catalogue.geojson")))
            let feature = try #require(((areas as? [String: Any])?["features"] as? [[String: Any]])?.first)
            #expect(feature["id"] as? String == "demo")
            #expect((feature["geometry"] as? [String: Any])?["type"] as? String == "Polygon")
        }
    }

    @Test func isLeftOutOnDemandAndNeverInTheWay() throws {
        try Workshop.open { shop in
            for version in ["1.0.0", "1.1.0"] { try shop.release(version) }
            try shop.publish("1.0.0", "--no-catalogue")
            #expect(!shop.exists("channel/index.html") && !shop.exists("channel/catalogue.json"))
            // Publishing again finds nothing to sign, and catches up on the catalogue.
            try shop.publish("1.0.0")
            #expect(try shop.sequence() == 1 && shop.exists("channel/index.html"))

            try shop.write("channel/index.html", "<h1>My own page</h1>")
            let result = try shop.publish("1.1.0")
            #expect(result.standardError.contains("[catalogue.not-written]"), "\(result)")
            #expect(try shop.sequence() == 2)
            #expect(try shop.read("channel/index.html") == Array("<h1>My own page</h1>".utf8))
            try shop.remove("channel/index.html")
            try shop.publish("1.1.0")
            #expect(shop.exists("channel/index.html"))
        }
    }
}

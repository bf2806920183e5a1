import Foundation
import SnpackTestSupport
import Testing

/// The second territory, which lies beside the checkout and not in it: the same country two years later, and rebuilt.
@Suite(.enabled(if: ProjectFiles.sharedData != nil, "the larger territory is not beside this checkout"))
struct LargerTerritoryTests {
    private func publish(_ version: String, _ layers: URL, in journey: Journey, _ options: String...) throws {
        let words =
            [
                "build", ProjectFiles.root.appending(path: "manifests/liechtenstein.json").path, "--version", version,
                "--layer", "valhalla-tiles=\(layers.path)/valhalla",
                "--layer", "pmtiles=\(layers.path)/pmtiles/liechtenstein.pmtiles",
                "--layer", "geocode-index=\(layers.path)/geocode-tantivy", "--layer", "style=\(layers.path)/style",
                "--layer", "poi-sidecar=\(layers.path)/poi-sidecar/poi.sqlite",
            ] + options
        let built = try SnpackProcess.run(words, in: journey.directory)
        #expect(built.status == 0, "\(built)")
        try journey.run("sign", "build/liechtenstein/\(version)", "--key", journey.key + ".key")
        try journey.run(
            "publish", "build/liechtenstein/\(version)", "--channel", "channel", "--key", journey.key + ".key")
    }

    /// Updates the store and compares it with a fresh install.
    private func update(to version: String, in journey: Journey) throws -> [String: Any] {
        let outcome = try journey.json("sync", "channel", Journey.id)
        let fresh = "fresh-\(version)"
        let installed = try SnpackProcess.run(
            journey.storeWords(["install", "channel", Journey.id], root: fresh), in: journey.directory)
        #expect(installed.status == 0, "\(installed)")
        let package = "territories/liechtenstein/\(version)/package"
        let same = try SystemTool.run(
            "diff", ["-r", "store/\(package)", "\(fresh)/\(package)"], in: journey.directory)
        #expect(same.status == 0, "\(same)")
        return outcome
    }

    @Test func updatesOfTwoYearsAndOfRebuildEqualFreshInstalls() throws {
        let data = try #require(ProjectFiles.sharedData)
        try ProjectFiles.inTemporaryDirectory { directory in
            let journey = try Journey(in: directory)
            try publish("1.0.0", ProjectFiles.sample.appending(path: "v1"), in: journey)
            try journey.store("install", "channel", Journey.id)

            try publish("2.0.0", data.appending(path: "v1"), in: journey, "--reuse", "channel")
            let years = try update(to: "2.0.0", in: journey)
            #expect(years["layers_patched"] as? Int == 1, "only the sidecar's patch is 20 % smaller than its blob")

            try publish("3.0.0", data.appending(path: "v2"), in: journey, "--reuse", "channel")
            let rebuild = try update(to: "3.0.0", in: journey)
            #expect(rebuild["layers_patched"] as? Int == 4 && rebuild["layers_reused"] as? Int == 1)
            #expect((rebuild["bytes_downloaded"] as? Int ?? .max) < 1_250_000, "2.3 MB without patches")
        }
    }
}

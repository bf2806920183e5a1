import Foundation
import SnpackTestSupport
import Testing

/// What scripts read: the members of the object that each command prints with `--json`. They may become more.
@Suite struct JSONTests {
    private static let store = "--root store --factory-key keys/factory.pub"
    private static let key = "--key keys/factory.key"

    private static let index = "index.channel index.sequence index.published_at index.freshness index.age_seconds"
    private static let layers =
        "layers.kind layers.path layers.address layers.blake3 layers.bytes layers.blob_bytes layers.files"
    private static let signed = "channel sequence published_at changed staged"

    /// An installed territory, as TerritoryInfo names its members.
    private static func territory(_ name: String) -> String {
        [
            "territory_id", "display_name", "version", "data_timestamp", "west", "south", "east", "north",
            "total_bytes",
            "installed_bytes", "omitted_kinds", "path", "active", "attribution",
        ].map { "\(name).\($0)" }.joined(separator: " ")
    }

    /// Examples of the help, and the members of their objects; those of an object inside, or of an array's first, after a dot.
    static let members: [String: String] = [
        "snpack keygen --role factory --out keys/factory": "encrypted key_id public_file public_key role secret_file",
        "snpack keygen --role region --out keys/region --no-passphrase":
            "encrypted key_id public_file public_key role secret_file",
        "snpack key show keys/factory.pub": "encrypted example key_id public_key role secret",
        "snpack key export keys/factory.key --pem --out factory.pem": "file secret",
        "snpack key export keys/factory.pub --pem": "pem secret",
        "snpack key import factory.pem --role factory --out keys/imported":
            "encrypted key_id public_file public_key role secret_file",
        "snpack build manifests/liechtenstein.json --version 1.0.0":
            "\(layers) data_timestamp display_name download_bytes manifest_blake3 release reused territory_id"
            + " total_bytes unchanged version",
        "snpack build manifests/liechtenstein.json --version 1.1.0 --reuse build/liechtenstein/1.0.0":
            "\(layers) data_timestamp display_name download_bytes manifest_blake3 release reused territory_id"
            + " total_bytes unchanged version",
        "snpack sign build/liechtenstein/1.0.0 \(key)": "key_id role signed signed.path signed.signature",
        "snpack sign channel/.snpack/staged/index.json \(key)": "key_id role signed signed.path signed.signature",
        "snpack publish build/liechtenstein/1.0.0 --channel channel \(key) --valid-for 30d":
            "\(signed) expires_at published unchanged",
        "snpack publish build/liechtenstein/1.0.0 --channel channel --stage --factory-key keys/factory.pub":
            "\(signed) published unchanged",
        "snpack publish --commit --channel channel --factory-key keys/factory.pub": "channel published_at sequence",
        "snpack verify channel --factory-key keys/factory.pub":
            "checked checked.absent checked.blob_bytes checked.blobs checked.channel checked.known"
            + " checked.published_at checked.releases checked.sequence depth fault_count kind ok target",
        "snpack verify https://maps.example.org --factory-key keys/factory.pub --sample 2 --expires-within 3d":
            "checked checked.absent checked.blob_bytes checked.blobs checked.channel checked.expires_at"
            + " checked.known checked.published_at checked.releases checked.sequence depth fault_count kind ok seed"
            + " target",
        "snpack cut channel#liechtenstein --factory-key keys/factory.pub --bbox 9.48,47.1,9.56,47.2 --name Vaduz --out regions":
            "\(layers) bbox data_timestamp display_name download_bytes manifest_blake3 release territory_id"
            + " total_bytes unchanged version",
        "snpack cut build/liechtenstein/1.0.0 --factory-key keys/factory.pub --corridor trail.geojson --buffer 2000 --name Trail --out regions":
            "\(layers) bbox data_timestamp display_name download_bytes manifest_blake3 release territory_id"
            + " total_bytes unchanged version",
        "snpack pack build/liechtenstein/1.0.0 -o liechtenstein.snpkg": "bytes path territory_id version",
        "snpack unpack liechtenstein.snpkg -o liechtenstein --factory-key keys/factory.pub":
            "path territory_id verified version",
        "snpack inspect build/liechtenstein/1.0.0":
            "\(layers) data_timestamp display_name download_bytes kind manifest_blake3 path signed territory_id"
            + " total_bytes version",
        "snpack list channel":
            "channel published_at sequence territories territories.display_name territories.id"
            + " territories.latest_version territories.versions territories.versions.data_timestamp"
            + " territories.versions.download_bytes territories.versions.manifest_blake3"
            + " territories.versions.total_bytes territories.versions.version",
        "snpack diff channel#liechtenstein@1.0.0 channel#liechtenstein":
            "download_bytes download_bytes_without_patches installed_bytes layers layers.blob_bytes"
            + " layers.change layers.download_bytes layers.installed_bytes layers.kind layers.patches new old",
        "snpack yank liechtenstein@1.1.0 --reason \"a bridge is missing\" --channel channel \(key)": "\(signed)",
        "snpack unyank liechtenstein@1.1.0 --channel channel \(key)": "\(signed)",
        "snpack latest liechtenstein@1.1.0 --channel channel \(key)": "\(signed)",
        "snpack refresh --valid-for 30d --channel channel \(key)": "\(signed) expires_at",
        "snpack republish liechtenstein@1.0.0 --as 1.2.0 --channel channel \(key)": "\(signed)",
        "snpack prune --keep 3 --channel channel \(key) --dry-run":
            "\(signed) bytes_won deleted dropped dry_run waiting",
        "snpack resign --channel channel --factory-key keys/factory.pub --key new/factory.key --out channel-2":
            "changed channel published_at releases sequence",
        "snpack mirror channel mirror --factory-key keys/factory.pub":
            "absent bytes_copied changed channel files_copied published_at releases sequence",
        "snpack store install channel liechtenstein \(store)":
            "\(territory("territory")) \(index) bytes_downloaded layers_fetched layers_patched layers_reused"
            + " outcome",
        "snpack store install liechtenstein.snpkg --omit pmtiles \(store)":
            "\(territory("territory")) bytes_downloaded layers_fetched layers_patched layers_reused outcome",
        "snpack store sync https://maps.example.org liechtenstein \(store)":
            "\(territory("territory")) \(index) bytes_downloaded index.expires_at layers_fetched layers_patched"
            + " layers_reused outcome previous_version",
        "snpack store check channel liechtenstein \(store) --json":
            "\(territory("territory")) \(index) bytes_after changed_layers changed_layers.download_bytes"
            + " changed_layers.installed_bytes changed_layers.kind changed_layers.way changed_layers.whole_bytes"
            + " download_bytes installed_bytes peak_bytes update_available version",
        "snpack store list \(store)": "\(territory("territories"))",
        "snpack store activate liechtenstein \(store)": "active",
        "snpack store active \(store)": "\(territory("territory")) active",
        "snpack store path liechtenstein valhalla-tiles \(store)": "path",
        "snpack store style liechtenstein --theme dark \(store)": "style theme",
        "snpack store search liechtenstein malbun \(store)":
            "places places.categories places.country_code places.id places.importance places.kind places.lat"
            + " places.locality places.lon places.name places.region",
        "snpack store reverse liechtenstein 47.141,9.5215 \(store)":
            "places places.categories places.country_code places.distance_m places.id places.importance"
            + " places.kind places.lat places.locality places.lon places.name places.region places.street",
        "snpack store verify liechtenstein \(store)": "\(territory("territory")) ok",
        "snpack store repair liechtenstein channel \(store)":
            "\(territory("territory")) bytes_downloaded removed_files repaired_kinds",
        "snpack store rollback liechtenstein \(store)": "\(territory("territory"))",
        "snpack store remove liechtenstein \(store)": "removed",
        "snpack store cache --clear \(store)": "bytes cleared_bytes",
        "snpack geocode build places.ndjson -o geocode": "bytes documents path",
        "snpack pmtiles convert map.mbtiles map.pmtiles": "bytes path tiles",
        "snpack valhalla unpack tiles.tar valhalla": "bytes path tiles",
        "snpack manual --out man1": "files",
        "snpack help key show": "help",
    ]

    @Test func everyExampleOfACommandIsHere() {
        #expect(
            Set(ExampleTests.examples.filter { $0.hasPrefix("snpack ") && !$0.contains("|") }) == Set(Self.members.keys)
        )
    }

    @Test(arguments: members.keys.sorted())
    func printsOneObjectWithItsMembers(_ example: String) throws {
        try ExampleTests.run(example, adding: example.hasSuffix("--json") ? "" : " --json") { result, _ in
            #expect(result.status == 0, "\(result)")
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any], "\(result)")
            let found = Self.paths(in: object)
            let missing = Set((Self.members[example] ?? "").split(separator: " ").map(String.init)).union(["schema"])
                .subtracting(found)
            #expect(missing == [], "\(example) has \(found.sorted().joined(separator: " "))")
        }
    }

    private static func paths(in object: [String: Any]) -> Set<String> {
        var paths: Set<String> = []
        for (name, value) in object {
            paths.insert(name)
            let inside = value as? [String: Any] ?? (value as? [[String: Any]])?.first
            for path in inside.map(Self.paths(in:)) ?? [] { paths.insert("\(name).\(path)") }
        }
        return paths
    }
}

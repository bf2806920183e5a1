import Diagnostics
import DurableFiles
import Hashing
import TerritoryModel
import TerritoryPackage

/// What a catalogue tells of a territory beyond the index: facts of the offered version's manifest.
struct TerritoryDetails {
    let attribution: [DisplayText]
    /// A region's own area.
    let area: RegionArea?

    init(attribution: [DisplayText], area: RegionArea? = nil) {
        self.attribution = attribution
        self.area = area
    }

    /// Reads the manifest that the signed index names by its BLAKE3; nil where it is not here as listed.
    init?(of entry: ChannelIndex.Version, in root: Directory) {
        guard
            let bytes = try? root.file(at: entry.name.manifestPath).allBytes(limit: Limits.manifestBytes),
            Blake3Digest.of(bytes) == entry.manifestBlake3, let manifest = try? Manifest(decoding: bytes)
        else { return nil }
        self.init(attribution: manifest.attribution, area: manifest.region?.area)
    }
}

/// What the last catalogue was made of: `.snpack/catalogue.json`. With it the next one reads only manifests that are new.
struct CatalogueRecord {
    private static let file = "catalogue.json"
    private static let limit = 16 << 20

    /// Of the page's parts and the index that the catalogue was made of.
    var source: Blake3Digest?
    /// Attributions by the manifest's BLAKE3.
    private(set) var attributions: [String: [DisplayText]] = [:]

    init() {}

    /// A record that is missing or damaged is an empty one.
    init(in work: Directory) {
        guard let bytes = try? work.contents(of: Self.file, limit: Self.limit),
            let record = try? StrictJSON.parse(bytes).objectValue
        else { return }
        source = record["source"]?.stringValue.flatMap { try? Blake3Digest(parsing: $0) }
        for (digest, value) in record["attributions"]?.objectValue?.members ?? [] {
            let texts = value.arrayValue?.compactMap { text in
                text.stringValue.flatMap { try? DisplayText(parsing: $0, length: Limits.attribution) }
            }
            if let texts, texts.count == value.arrayValue?.count { attributions[digest] = texts }
        }
    }

    /// The details of every territory of `index` that are to be had, from the record where it has them. The record holds
    /// these and no others afterwards.
    mutating func details(of index: ChannelIndex, in root: Directory) -> [TerritoryID: TerritoryDetails] {
        var found: [TerritoryID: TerritoryDetails] = [:]
        var kept: [String: [DisplayText]] = [:]
        for territory in index.territories {
            let digest = territory.latest.manifestBlake3.hex
            if let attribution = attributions[digest], !territory.id.isRegion {
                found[territory.id] = TerritoryDetails(attribution: attribution)
            } else {
                found[territory.id] = TerritoryDetails(of: territory.latest, in: root)
            }
            kept[digest] = found[territory.id]?.attribution
        }
        attributions = kept
        return found
    }

    func write(to work: Directory) throws(SnpackError) {
        var record: JSONObject = [:]
        record["source"] = source.map { .string($0.hex) }
        record["attributions"] = .object(
            JSONObject(attributions.map { (key: $0.key, value: .array($0.value.map { .string($0.rawValue) })) }))
        try work.write(JSONValue.object(record).canonicalBytes, to: Self.file, mode: 0o600)
    }
}

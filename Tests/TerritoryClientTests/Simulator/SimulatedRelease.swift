import Diagnostics
import Hashing
import Signing
import TerritoryClient
import TerritoryModel
import TerritoryPackage

/// A signed version, in memory.
struct SimulatedRelease: Sendable {
    let manifest: Manifest
    let bytes: [UInt8]
    let signature: [UInt8]
    let layers: [SimulatedLayer]

    var name: ReleaseName { manifest.name }

    init(
        _ id: String, _ version: String, layers: [SimulatedLayer], signer: SecretKey,
        region: Manifest.Region? = nil, displayName: String = "United Kingdom"
    ) throws {
        manifest = try Manifest(
            territoryID: TerritoryID(parsing: id), version: TerritoryVersion(parsing: version),
            displayName: DisplayText(parsing: displayName), dataTimestamp: Timestamp(parsing: "2026-11-01T00:00:00Z"),
            boundingBox: BoundingBox(west: -8, south: 49, east: 2, north: 61),
            attribution: [DisplayText(parsing: "© OpenStreetMap contributors")], layers: layers.map(\.layer),
            region: region)
        bytes = manifest.canonicalBytes
        signature = SignatureText(try signer.sign(bytes)).fileBytes
        self.layers = layers
    }

    func entry(yanked: String? = nil) throws -> ChannelIndex.Version {
        ChannelIndex.Version(
            of: manifest, manifestBlake3: .of(bytes), yanked: try yanked.map { try DisplayText(parsing: $0) })
    }

    func blobPath(_ kind: String) -> String {
        let layer = manifest.layers.first { $0.kind.rawValue == kind }
        return "\(name.directory)/\(layer?.blobPath ?? "?")"
    }

    func blob(_ kind: String) -> [UInt8] { layers.first { $0.layer.kind.rawValue == kind }?.blob ?? [] }
}

extension ChannelSimulator {
    /// What an index says beside its releases.
    struct IndexFacts {
        var channel = "main"
        var sequence: UInt64 = 1
        var publishedAt = "2026-11-20T00:00:00Z"
        var expiresAt: String?
        var latest: String?
        var yanked: [String: String] = [:]
    }

    func add(_ release: SimulatedRelease) {
        self[release.name.manifestPath] = release.bytes
        self[release.name.manifestPath + ".sig"] = release.signature
        for layer in release.layers {
            self["\(release.name.directory)/\(layer.layer.blobPath)"] = layer.blob
            for patch in layer.patches {
                self["\(release.name.directory)/\(layer.layer.path(of: patch.patch))"] = patch.bytes
            }
        }
    }

    static func index(_ releases: [SimulatedRelease], _ facts: IndexFacts) throws -> [UInt8] {
        var territories: [ChannelIndex.Territory] = []
        for (_, group) in Dictionary(grouping: releases, by: \.manifest.territoryID) {
            let versions = try group.map { try $0.entry(yanked: facts.yanked[$0.name.version.rawValue]) }
            let wanted = try facts.latest.map { try TerritoryVersion(parsing: $0) }
            let latest = wanted ?? ChannelIndex.Territory.defaultLatest(of: versions)
            guard let manifest = group.first(where: { $0.manifest.version == latest })?.manifest else { continue }
            territories.append(try ChannelIndex.Territory(latest: manifest, versions: versions))
        }
        return try ChannelIndex(
            channel: ChannelName(parsing: facts.channel), sequence: facts.sequence,
            publishedAt: Timestamp(parsing: facts.publishedAt),
            expiresAt: facts.expiresAt.map { try Timestamp(parsing: $0) }, territories: territories
        ).canonicalBytes
    }

    /// Puts releases and a signed index of them into the channel.
    func publish(_ releases: [SimulatedRelease], _ facts: IndexFacts, signer: SecretKey) throws {
        for release in releases { add(release) }
        try put(index: Self.index(releases, facts), signer: signer)
    }

    /// Puts exactly these bytes, signed, where an index belongs.
    func put(index: [UInt8], signer: SecretKey) throws {
        let signature = SignatureText(try signer.sign(index)).fileBytes
        self["index.json"] = index
        self["index.json.sig"] = signature
        self["index.signed"] = signature + [0x0A] + index
    }
}

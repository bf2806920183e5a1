import Diagnostics
import Hashing
import Signing
import TerritoryModel
import TerritoryPackage

/// What a channel shows to people who look at it with a browser, and to programs that do not verify. Pure: equal channels give
/// equal bytes.
struct Catalogue {
    let index: Verified<ChannelIndex>
    /// Listed versions that a partial mirror does not carry.
    let absent: Set<ReleaseName>
    /// Where a manifest could not be read, there are none.
    let details: [TerritoryID: TerritoryDetails]

    private var role: KeyRole { index.document.isRegionIndex ? .region : .factory }

    /// `index.html`
    var page: [UInt8] {
        let signed = SignedIndexFile(index: index.bytes, signature: index.signature).encoded
        return CataloguePage.bytes(channel: index.document.channel, signed: signed, details: pageDetails)
    }

    /// What the page needs that is not in the index. Most territories have the same attribution, which is written once.
    private var pageDetails: JSONValue {
        var numbers: [[DisplayText]: Int] = [:]
        var attributions: [JSONValue] = []
        var areas: JSONObject = [:]
        let attributionOf = index.document.territories.map { territory -> JSONValue in
            guard let details = details[territory.id] else { return -1 }
            if let area = details.area { areas[territory.id.rawValue] = CatalogueOutline(area).json }
            if let number = numbers[details.attribution] { return .number(JSONNumber(Int64(number))) }
            numbers[details.attribution] = attributions.count
            attributions.append(details.attributionJSON)
            return .number(JSONNumber(Int64(attributions.count - 1)))
        }
        return [
            "role": .string(role.rawValue), "key_ids": [.string(index.signer.keyID)],
            "absent": .array(absent.map(\.description).sorted().map(JSONValue.string)),
            "attributions": .array(attributions), "attribution_of": .array(attributionOf), "areas": .object(areas),
        ]
    }

    /// `catalogue.json`: what the index says, and what the offered versions' manifests add to it.
    var document: [UInt8] {
        let document = index.document
        var object: JSONObject = [
            "type": "channel-catalogue", "format": 1, "channel": .string(document.channel.rawValue),
            "sequence": .number(JSONNumber(document.sequence)),
            "published_at": .string(document.publishedAt.description), "index_blake3": .string(index.blake3.hex),
            "role": .string(role.rawValue), "key_ids": [.string(index.signer.keyID)],
        ]
        object["expires_at"] = document.expiresAt.map { .string($0.description) }
        object["territories"] = .array(
            document.territories.map { territory in
                var object: JSONObject = [
                    "id": .string(territory.id.rawValue), "display_name": .string(territory.displayName.rawValue),
                    "bbox": territory.boundingBox.json, "latest_version": .string(territory.latestVersion.rawValue),
                    "versions": .array(territory.versions.map { .object(facts($0)) }),
                ]
                object["attribution"] = details[territory.id]?.attributionJSON
                return .object(object)
            })
        return JSONValue.object(object).canonicalBytes
    }

    /// `catalogue.geojson`: the areas of all territories, with the facts of the versions that are offered (RFC 7946).
    var areas: [UInt8] {
        let features = index.document.territories.map { territory -> JSONValue in
            let details = details[territory.id]
            var properties = facts(territory.latest)
            properties["display_name"] = .string(territory.displayName.rawValue)
            properties["attribution"] = details?.attributionJSON
            properties["buffer_m"] = (details?.area?.bufferMeters).map { .number(JSONNumber($0)) }
            return [
                "type": "Feature", "id": .string(territory.id.rawValue), "bbox": territory.boundingBox.json,
                "geometry": (details?.area ?? (try? RegionArea(territory.boundingBox)))?.geoJSON ?? .null,
                "properties": .object(properties),
            ]
        }
        let collection: JSONValue = ["type": "FeatureCollection", "features": .array(features)]
        return collection.canonicalBytes
    }

    private func facts(_ entry: ChannelIndex.Version) -> JSONObject {
        var object: JSONObject = [
            "version": .string(entry.version.rawValue), "data_timestamp": .string(entry.dataTimestamp.description),
            "download_bytes": .number(JSONNumber(entry.downloadBytes)),
            "manifest_blake3": .string(entry.manifestBlake3.hex),
            "manifest_path": .string(entry.name.manifestPath), "total_bytes": .number(JSONNumber(entry.totalBytes)),
        ]
        object["yanked"] = entry.yanked.map { .string($0.rawValue) }
        if absent.contains(entry.name) { object["absent"] = true }
        return object
    }
}

extension TerritoryDetails {
    fileprivate var attributionJSON: JSONValue { .array(attribution.map { .string($0.rawValue) }) }
}

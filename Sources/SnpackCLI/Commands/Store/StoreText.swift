import Diagnostics
import MapLayers
import TerritoryClient
import TerritoryModel

/// What the store's commands print.
enum StoreText {
    static func json(_ info: TerritoryInfo) -> JSONValue {
        func number(_ value: Double) -> JSONValue { JSONNumber(value).map(JSONValue.number) ?? 0 }
        var object: JSONObject = [
            "territory_id": .string(info.territoryId), "display_name": .string(info.displayName),
            "version": .string(info.version), "data_timestamp": .string(info.dataTimestamp), "west": number(info.west),
            "south": number(info.south), "east": number(info.east), "north": number(info.north),
            "total_bytes": .number(JSONNumber(info.totalBytes)),
            "installed_bytes": .number(JSONNumber(info.installedBytes)),
            "omitted_kinds": .array(info.omittedKinds.map { .string($0.rawValue) }), "path": .string(info.path),
            "active": .bool(info.active), "attribution": .array(info.attribution.map(JSONValue.string)),
        ]
        object["previous_version"] = info.previousVersion.map(JSONValue.string)
        object["yanked"] = info.yanked.map(JSONValue.string)
        object["region_source"] = info.regionSource.map { source in
            [
                "territory_id": .string(source.territoryId), "version": .string(source.version),
                "outdated": .bool(source.isOutdated),
            ]
        }
        return .object(object)
    }

    static func line(_ info: TerritoryInfo) -> String {
        var marks: [String] = []
        if info.active { marks.append("active") }
        if !info.omittedKinds.isEmpty {
            marks.append("without \(info.omittedKinds.map(\.rawValue).joined(separator: ", "))")
        }
        if let source = info.regionSource {
            marks.append("cut from \(source.territoryId) \(source.version)\(source.isOutdated ? ", outdated" : "")")
        }
        if let reason = info.yanked { marks.append("withdrawn: \(reason)") }
        let note = marks.isEmpty ? "" : " (\(marks.joined(separator: "; ")))"
        return "\(info.territoryId) \(info.version), \(byteText(info.installedBytes))\(note)"
    }

    static func json(_ index: IndexInfo) -> JSONValue {
        var object: JSONObject = [
            "channel": .string(index.channel.rawValue), "sequence": .number(JSONNumber(index.sequence)),
            "published_at": .string(index.publishedAt.description), "freshness": .string(index.freshness.rawValue),
            "age_seconds": .number(JSONNumber(index.ageSeconds)),
        ]
        object["expires_at"] = index.expiresAt.map { .string($0.description) }
        return .object(object)
    }

    static func line(_ index: IndexInfo) -> String {
        let age = index.ageSeconds < 0 ? "in the future" : "\(index.ageSeconds / 86_400) days old"
        let unknown = "freshness unknown" + (index.expiresAt == nil ? " without an expiry" : "")
        let freshness = index.freshness == .unknown ? unknown : index.freshness.rawValue
        return "index: sequence \(index.sequence) of \(index.publishedAt), \(age), \(freshness)"
    }

    /// The result of `install` and `sync`.
    static func result(_ report: StoreReport) -> CommandResult {
        var json: JSONObject = [:]
        var lines: [String] = []
        var status = ExitStatus.done
        func done(_ outcome: String, _ verb: String, _ result: ChannelInstallResult) {
            json["outcome"] = .string(outcome)
            json["territory"] = StoreText.json(result.territory)
            json["layers_fetched"] = .number(JSONNumber(UInt64(result.layersFetched)))
            json["layers_reused"] = .number(JSONNumber(UInt64(result.layersReused)))
            json["layers_patched"] = .number(JSONNumber(UInt64(result.layersPatched)))
            json["bytes_downloaded"] = .number(JSONNumber(result.bytesDownloaded))
            json["previous_version"] = result.previousVersion.map(JSONValue.string)
            lines.append("\(verb) \(line(result.territory))")
            lines.append(
                "\(result.layersFetched) layers fetched, \(result.layersReused) reused, \(result.layersPatched) patched; "
                    + "\(byteText(result.bytesDownloaded)) downloaded")
        }
        func nothing(_ outcome: String, _ territory: TerritoryInfo, _ text: String) {
            json["outcome"] = .string(outcome)
            json["territory"] = StoreText.json(territory)
            for key in ["layers_fetched", "layers_reused", "layers_patched", "bytes_downloaded"] { json[key] = 0 }
            lines.append(text)
        }
        switch report.outcome {
        case .installed(let result): done("installed", "installed", result)
        case .updated(let result): done("updated", "updated to", result)
        case .upToDate(let territory): nothing("up_to_date", territory, "up to date: \(line(territory))")
        case .held(let territory, let version):
            nothing("held", territory, "held at \(territory.version): you rolled back from \(version)")
            json["held_version"] = .string(version)
        case .cancelled:
            json["outcome"] = "cancelled"
            lines.append("stopped; nothing has changed, and what was fetched is kept for the next try")
            status = Interruption.exitStatus
        }
        if let index = report.index {
            json["index"] = StoreText.json(index)
            lines.append(line(index))
        }
        var result = CommandResult(json, lines: lines)
        result.status = status
        return result
    }

    static func json(_ place: Place) -> JSONValue {
        func number(_ value: Double) -> JSONValue { JSONNumber(value).map(JSONValue.number) ?? 0 }
        var object: JSONObject = [
            "id": .string(place.id), "kind": .string(place.kind.rawValue), "name": .string(place.name),
            "country_code": .string(place.countryCode), "lat": number(place.lat), "lon": number(place.lon),
            "categories": .array(place.categories.map(JSONValue.string)),
            "importance": number(Double(place.importance)),
        ]
        let optional = [
            ("housenumber", place.housenumber), ("street", place.street), ("locality", place.locality),
            ("region", place.region), ("postcode", place.postcode),
        ]
        for (key, value) in optional { object[key] = value.map(JSONValue.string) }
        object["distance_m"] = place.distanceM.map(number)
        return .object(object)
    }

    static func result(_ places: [Place]) -> CommandResult {
        CommandResult(
            ["places": .array(places.map(json))],
            lines: places.map { place in
                let context = [place.street, place.locality, place.region].compactMap { $0 }
                    .filter { $0 != place.name }
                let distance = place.distanceM.map { ", \(Int($0.rounded())) m" } ?? ""
                return "\(place.kind.rawValue) \(place.lat),\(place.lon) "
                    + ([place.name] + context).joined(separator: ", ") + distance
            })
    }
}

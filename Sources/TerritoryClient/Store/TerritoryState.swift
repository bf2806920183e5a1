import Diagnostics
import TerritoryModel

/// Which of a territory's slots is used: the file whose rename makes an install real.
struct TerritoryState: Hashable, Sendable {
    /// Nil when the territory was removed.
    var current: SlotName?
    /// The version before, kept for a rollback.
    var previous: SlotName?
    /// The version that a person rolled back from.
    var held: TerritoryVersion?

    private static let type = "snpack-territory-state"

    var encoded: [UInt8] {
        var json: JSONObject = ["type": .string(Self.type), "format": 1]
        json["current"] = current.map { .string($0.description) }
        json["previous"] = previous.map { .string($0.description) }
        json["held"] = held.map { .string($0.rawValue) }
        return JSONValue.object(json).canonicalBytes
    }

    init(current: SlotName? = nil, previous: SlotName? = nil, held: TerritoryVersion? = nil) {
        self.current = current
        self.previous = previous
        self.held = held
    }

    /// Nil for anything that is no whole state.
    init?(decoding bytes: [UInt8]) {
        guard let json = (try? StrictJSON.parse(bytes))?.objectValue, json["type"] == .string(Self.type),
            json["format"] == 1
        else { return nil }
        for (key, slot) in [("current", \TerritoryState.current), ("previous", \.previous)] {
            guard let value = json[key] else { continue }
            guard let name = value.stringValue.flatMap(SlotName.init) else { return nil }
            self[keyPath: slot] = name
        }
        if let value = json["held"] {
            guard let version = value.stringValue.flatMap({ try? TerritoryVersion(parsing: $0) }) else { return nil }
            held = version
        }
    }
}

/// What an install left out: the store's own record, which only makes it stricter, for what is on it must be absent.
struct InstallRecord: Hashable, Sendable {
    var omitted: Set<LayerKind> = []

    private static let type = "snpack-install-record"

    var encoded: [UInt8] {
        let json: JSONValue = [
            "type": .string(Self.type), "format": 1,
            "omitted": .array(omitted.sorted().map { .string($0.rawValue) }),
        ]
        return json.canonicalBytes
    }

    init(omitted: Set<LayerKind>) { self.omitted = omitted }

    init?(decoding bytes: [UInt8]) {
        guard let json = (try? StrictJSON.parse(bytes))?.objectValue, json["type"] == .string(Self.type),
            json["format"] == 1, let kinds = json["omitted"]?.arrayValue
        else { return nil }
        for kind in kinds {
            guard let kind = kind.stringValue.flatMap({ try? LayerKind(parsing: $0) }) else { return nil }
            omitted.insert(kind)
        }
    }
}

import Diagnostics

extension EngineRequirements {
    /// Reads the optional `requires` of a layer or a version; absent means nothing is required.
    init(_ field: DocumentField?, count: ClosedRange<Int>) throws(SnpackError) {
        var minimums: [EngineName: TerritoryVersion] = [:]
        for (key, field) in try field?.members(count) ?? [] {
            let engine = try field.checked { () throws(SnpackError) in try EngineName(parsing: key) }
            minimums[engine] = try field.parsed(TerritoryVersion.init(parsing:))
        }
        self.init(minimums)
    }

    /// The object that documents carry, or nil when there is nothing to write.
    var json: JSONValue? {
        guard !isEmpty else { return nil }
        return .object(
            JSONObject(minimums.map { (key: $0.key.rawValue, value: JSONValue.string($0.value.rawValue)) }))
    }
}

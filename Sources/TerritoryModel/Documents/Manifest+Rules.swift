import Diagnostics

// The rules that hold between a manifest's parts.
extension Manifest {
    static func layers(_ field: DocumentField) throws(SnpackError) -> [Layer] {
        let fields = try field.elements(Limits.layers)
        var layers: [Layer] = []
        var paths: Set<String> = []
        for field in fields {
            let layer = try Layer(field)
            if let previous = layers.last, previous.kind >= layer.kind {
                throw try field.required("kind").fault("layers must ascend by kind, one of each")
            }
            guard paths.insert(layer.path.folded).inserted else {
                throw try field.required("path").fault("\(quoted(layer.path.rawValue)) is the place of two layers")
            }
            layers.append(layer)
        }
        return layers
    }

    /// Reads a byte count that must be the sum of at most 64 others, which cannot overflow.
    static func sum(_ field: DocumentField, _ parts: [UInt64], _ what: String) throws(SnpackError) -> UInt64 {
        let (stated, sum) = (try field.integer(), parts.reduce(0, +))
        guard stated == sum else { throw field.fault("\(stated) is not the sum of the \(what), \(sum)") }
        return stated
    }

    static func region(
        _ field: DocumentField?, of id: TerritoryID, _ version: TerritoryVersion, in root: DocumentField
    ) throws(SnpackError) -> Region? {
        guard let field else {
            if id.isRegion { throw try root.required("territory_id").fault("a region's manifest needs \"region\"") }
            return nil
        }
        guard id.isRegion else { throw field.fault("\(quoted(id.rawValue)) is no region") }
        let region = try Region(field)
        guard region.territoryID == id else {
            throw try field.required("area").fault("this area's id is \(region.territoryID), not \(id)")
        }
        guard version >= region.sourceVersion else {
            throw try field.required("source_version").fault("the region's own version \(version) is below it")
        }
        return region
    }

    static func provenance(_ field: DocumentField?) throws(SnpackError) -> JSONObject? {
        guard let field else { return nil }
        for (key, field) in try field.members(Limits.provenanceTexts) {
            try field.mustBeShowable(key)
            _ = try field.text(Limits.provenanceText)
        }
        return try field.object()
    }
}

extension DocumentField {
    /// Throws if `text`, a key or a text of the writer's own, holds characters that could make it show as another.
    func mustBeShowable(_ text: String) throws(SnpackError) {
        if text.unicodeScalars.contains(where: \.misleads) {
            throw fault("\(quoted(text)) holds invisible characters")
        }
    }
}

import Diagnostics
import TerritoryModel

/// What the tiles of a tree are together: one build, or the remains of several.
struct ValhallaBuild {
    private let tiles: [ValhallaTile]
    private let subset: Bool
    private var buildID: UInt16?

    init(_ tiles: [ValhallaTile], subset: Bool) {
        self.tiles = tiles
        self.subset = subset
    }

    /// - Parameter isComplete: every tile's header could be read.
    mutating func check(isComplete: Bool, in source: any LayerSource, _ facts: inout LayerFacts) {
        for tile in tiles where tile.header.engineVersion == nil {
            facts.faults.add(
                SnpackError(
                    .valhallaVersionText, "its header names no version of Valhalla",
                    hint: "it is no Valhalla 3 tile, or its header is damaged", path: source.shownPath(of: tile.file)))
        }
        checkAlike(.valhallaMixedVersions, "version", { $0.version.map(quoted) ?? "none" }, in: source, &facts)
        checkAlike(.valhallaMixedDatasets, "data set", { $0.datasetID }, in: source, &facts)
        let isOneBuild = checkAlike(.valhallaMixedBuilds, "build", { $0.buildID }, in: source, &facts)
        if isOneBuild { checkBuildID(isComplete: isComplete, in: source, &facts) }
        checkLevels(&facts)
    }

    /// A fault for each tile that differs from what most tiles say.
    @discardableResult private func checkAlike<Value: Hashable>(
        _ code: ErrorCode, _ what: String, _ value: (ValhallaTileHeader) -> Value, in source: any LayerSource,
        _ facts: inout LayerFacts
    ) -> Bool {
        var counts: [Value: Int] = [:]
        for tile in tiles { counts[value(tile.header), default: 0] += 1 }
        guard counts.count > 1 else { return true }
        let most = counts.values.max() ?? 0
        // Of several with the same count the first in the tree, so that two runs say the same.
        guard let usual = tiles.map({ value($0.header) }).first(where: { counts[$0] == most }) else { return true }
        for tile in tiles where value(tile.header) != usual {
            facts.faults.add(
                SnpackError(
                    code, "it is of \(what) \(value(tile.header)); \(most) of the \(tiles.count) tiles are of \(usual)",
                    hint: "tiles of two builds were mixed: empty the directory, then build or copy one tree into it",
                    path: source.shownPath(of: tile.file)))
        }
        return false
    }

    private mutating func checkBuildID(isComplete: Bool, in source: any LayerSource, _ facts: inout LayerFacts) {
        guard let first = tiles.first else { return }
        let told = first.header.buildID
        let hasHashes = tiles.contains { $0.header.tileHash != 0 }
        guard hasHashes || told != 0 else {
            facts.warnings.append(
                SnpackError(
                    .valhallaNoBuildID, "the tiles have no hashes and no build id: an older Valhalla made them",
                    hint: "that no tile is missing cannot be checked; a newer Valhalla writes both"))
            return
        }
        guard told != 0 else {
            facts.faults.add(
                SnpackError(
                    .valhallaUnfinishedBuild, "the tiles have hashes but no build id: every route on them fails",
                    hint: "the build stopped before its last stage: run valhalla_build_tiles to its end",
                    path: source.shownPath(of: first.file)))
            return
        }
        buildID = told
        guard isComplete, !subset else { return }
        var sum = ValhallaBuildSum()
        for tile in tiles { sum.add(tileHash: tile.header.tileHash) }
        if sum.buildID != told {
            facts.faults.add(
                SnpackError(
                    .valhallaBuildID,
                    "the tiles say build \(told), their hashes make build \(sum.buildID): this is not the whole build",
                    hint: "a tile is missing, or one was put in from elsewhere: copy the whole tree again",
                    path: source.shownPath(of: first.file)))
        }
    }

    private func checkLevels(_ facts: inout LayerFacts) {
        let missing = [0, 1, 2].filter { level in !tiles.contains { $0.id.level == level } }
        guard !missing.isEmpty else { return }
        let names = missing.map { ["0 (motorways)", "1 (main roads)", "2 (local roads)"][$0] }
        facts.warnings.append(
            SnpackError(
                .valhallaLevelsMissing, "there is no tile of level \(names.joined(separator: ", level "))",
                hint: "right only where the area has no such roads"))
    }

    func describe(in facts: inout LayerFacts) {
        guard let header = tiles.first?.header else { return }
        if let version = header.version { facts.meta["version"] = .string(version) }
        if let engine = header.engineVersion { facts.requires = [(engine: "valhalla", version: engine)] }
        // A text: the id has 64 bits, and JSON's integers are safe up to 53.
        facts.meta["dataset_id"] = .string(String(header.datasetID))
        if let buildID { facts.meta["build_id"] = .number(JSONNumber(UInt64(buildID))) }
        if subset { facts.meta["subset"] = true }

        var counts = [Int](repeating: 0, count: ValhallaTileID.edges.count)
        var bytes = [UInt64](repeating: 0, count: ValhallaTileID.edges.count)
        for tile in tiles {
            counts[tile.id.level] += 1
            bytes[tile.id.level] &+= tile.byteCount
        }
        let levels = counts.indices.filter { $0 < 3 || counts[$0] > 0 }
        facts.meta["tiles_per_level"] = .array(levels.map { .number(JSONNumber(Int64(counts[$0]))) })
        facts.tables.append(
            FactTable(
                "Tiles", columns: ["level", "edge", "tiles", "bytes"],
                rows: levels.map { ["\($0)", "\(ValhallaTileID.edges[$0])°", "\(counts[$0])", "\(bytes[$0])"] }))
        facts.coverage = ValhallaCoverage.box(of: tiles.lazy.map(\.id).filter { $0.level == 2 })
        if let box = facts.coverage { facts.meta["box"] = box.json }
    }
}

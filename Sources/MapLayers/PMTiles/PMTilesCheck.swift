package import Diagnostics
package import DurableFiles
import TerritoryModel

/// Checks a layer of kind `pmtiles`: header, every directory entry, every distinct tile, metadata.
package enum PMTilesCheck {
    /// - Parameter subset: the tiles were cut out of an archive that was checked; what is in them is not looked at again.
    /// - Throws: only when a file cannot be read or the work is cancelled; faults are in what is returned.
    package static func check(_ source: any LayerSource, subset: Bool = false, context: WorkContext) throws(SnpackError)
        -> LayerFacts
    {
        guard source.files.count == 1, let file = source.files.first, !source.isTree || file.path.hasSuffix(".pmtiles")
        else {
            var facts = LayerFacts()
            facts.faults.add(
                SnpackError(
                    .pmtilesLayerForm,
                    "a layer of kind pmtiles is one .pmtiles file; \(source.files.count) files are there",
                    hint: "name the archive itself as the layer's source", path: source.files.first?.path))
            return facts
        }
        return try check(try source.open(file), path: source.shownPath(of: file), subset: subset, context: context)
    }

    /// - Parameter path: what messages call the file.
    package static func check(
        _ file: any RandomAccess, path: String, subset: Bool = false, context: WorkContext
    ) throws(SnpackError) -> LayerFacts {
        var run = PMTilesCheckRun(subset: subset)
        try run.check(file, context)
        return run.facts(path)
    }
}

/// One check in progress.
private struct PMTilesCheckRun {
    private let subset: Bool
    private var facts = LayerFacts()
    private var faults = FaultList()
    private var warnings: [SnpackError] = []

    init(subset: Bool) { self.subset = subset }

    mutating func check(_ file: any RandomAccess, _ context: WorkContext) throws(SnpackError) {
        (file as? OpenFile)?.willReadSequentially()
        guard let header = try collecting({ () throws(SnpackError) in try PMTilesArchive.header(of: file) }) else {
            return
        }
        for fault in header.contentFaults() { faults.add(fault) }
        describe(header)
        let unreadable = header.structureFaults(fileByteCount: file.byteCount)
        for fault in unreadable { faults.add(fault) }
        // A root beyond the first 16 KiB, or sections over each other, can still be read.
        guard unreadable.allSatisfy({ [.pmtilesRootTooFar, .pmtilesSectionOverlap].contains($0.code) }),
            let archive = try collecting({ () throws(SnpackError) in try PMTilesArchive(file, checkedHeader: header) })
        else { return }
        if header.leaves == PMTilesHeader.Section(0, 0) {
            warnings.append(
                SnpackError(
                    .pmtilesLeafOffset,
                    "the header's leaf directory offset is 0; some tools cannot edit such an archive"))
        }
        var entryFaults = FaultList()
        let survey = try PMTilesSurvey(of: archive, context: context, faults: &entryFaults)
        faults.add(contentsOf: entryFaults)
        check(survey, against: header)
        var contents: PMTilesContents?
        if !subset, [.none, .gzip].contains(header.tileCompression) {
            contents = try PMTilesContents(of: archive, repeats: survey.repeats, context: context)
        }
        if let contents { faults.add(contentsOf: contents.faults) }
        if entryFaults.isEmpty && survey.entryCount > 0 { checkCounts(header, survey, contents) }
        checkUnused(archive, contents)
        try checkMetadata(archive, contents)
        addTable(survey)
    }

    func facts(_ path: String) -> LayerFacts {
        var facts = facts
        for fault in faults.faults { facts.faults.add(fault.at(path)) }
        facts.warnings = warnings.map { $0.at(path) }
        return facts
    }

    /// Runs `body` and keeps what it throws, unless the disk or the person stopped it.
    private mutating func collecting<Value>(
        _ body: () throws(SnpackError) -> Value
    ) throws(SnpackError) -> Value? {
        do { return try body() } catch {
            if error.code.exitStatus == .localIO { throw error }
            faults.add(error)
            return nil
        }
    }

    // MARK: The header against the directories

    private mutating func check(_ survey: PMTilesSurvey, against header: PMTilesHeader) {
        guard let zooms = survey.zooms else {
            return faults.add(SnpackError(.pmtilesNoTiles, "the archive has no tiles"))
        }
        if Int(header.minZoom) != zooms.lowerBound || Int(header.maxZoom) != zooms.upperBound {
            faults.add(
                SnpackError(
                    .pmtilesZoomRange,
                    "the header says zoom \(header.minZoom) to \(header.maxZoom), the tiles are of zoom "
                        + "\(zooms.lowerBound) to \(zooms.upperBound)"))
        }
        let coverage = survey.coverage[zooms.upperBound]
        let bounds = header.boundsFault() == nil ? header.bounds : nil
        facts.coverage = coverage.box(within: bounds)
        guard let bounds, let tiles = coverage.e7Box else { return }
        let verdict = BoundsVerdict(bounds, tiles: tiles, zoom: zooms.upperBound)
        switch verdict {
        case .fits: break
        case .elsewhere, .tooSmall:
            faults.add(
                SnpackError(
                    .pmtilesBoundsCoverage,
                    "the bounds \(bounds) are \(verdict == .elsewhere ? "not where" : "much smaller than the box where") "
                        + "the tiles of zoom \(zooms.upperBound) are: \(tiles)",
                    hint: "give the writer the bounds of the data"))
        case .tooLarge:
            warnings.append(
                SnpackError(
                    .pmtilesBoundsLarge,
                    "the bounds \(bounds) are much larger than the box where the tiles of zoom \(zooms.upperBound) "
                        + "are: \(tiles)"))
        }
    }

    private mutating func checkCounts(_ header: PMTilesHeader, _ survey: PMTilesSurvey, _ contents: PMTilesContents?) {
        let counts = [
            ("addressed tiles", header.addressedTileCount, Optional(survey.addressedTileCount)),
            ("tile entries", header.entryCount, survey.entryCount),
            ("tile contents", header.contentCount, contents?.contentCount),
        ]
        for (name, claimed, found) in counts {
            guard let found, claimed != found else { continue }
            let message = "the header counts \(claimed) \(name), the directories \(found)"
            if claimed == 0 {
                warnings.append(SnpackError(.pmtilesCountsUnknown, message))
            } else {
                faults.add(SnpackError(.pmtilesCounts, message))
            }
        }
        facts.meta["addressed_tiles"] = .number(JSONNumber(survey.addressedTileCount))
        facts.meta["tile_entries"] = .number(JSONNumber(survey.entryCount))
        facts.meta["tile_contents"] = contents.map { .number(JSONNumber($0.contentCount)) }
    }

    private mutating func checkUnused(_ archive: PMTilesArchive, _ contents: PMTilesContents?) {
        guard let contents, faults.isEmpty else { return }
        let header = archive.header
        let used =
            UInt64(PMTilesHeader.byteCount) + header.root.byteCount + header.metadata.byteCount
            + header.leaves.byteCount + header.tiles.byteCount
        let unused = archive.file.byteCount - used + contents.unusedByteCount
        if unused > 0 {
            warnings.append(
                SnpackError(.pmtilesUnusedBytes, "\(unused) bytes of the file belong to no tile and no section"))
        }
    }

    // MARK: Metadata and what people see

    private mutating func checkMetadata(_ archive: PMTilesArchive, _ contents: PMTilesContents?) throws(SnpackError) {
        guard let metadata = try collecting({ () throws(SnpackError) in try archive.metadata() }) else { return }
        let check = PMTilesMetadataCheck(metadata, tileType: archive.header.tileType)
        for fault in check.faults { faults.add(fault) }
        warnings += check.warnings
        guard let declared = check.vectorLayers else { return }
        facts.vectorLayers = declared
        facts.meta["vector_layers"] = .array(declared.map(JSONValue.string))
        let known = Set(declared.map { Array($0.utf8) })
        let missing = contents?.layerNames.filter { !known.contains(Array($0.utf8)) } ?? []
        if !missing.isEmpty {
            warnings.append(
                SnpackError(
                    .pmtilesVectorLayers,
                    "tiles have layers that vector_layers does not name: \(missing.map(quoted).joined(separator: ", "))"
                ))
        }
    }

    private mutating func describe(_ header: PMTilesHeader) {
        facts.meta["min_zoom"] = .number(JSONNumber(UInt64(header.minZoom)))
        facts.meta["max_zoom"] = .number(JSONNumber(UInt64(header.maxZoom)))
        facts.meta["tile_type"] = .string(header.tileType.description)
        facts.meta["tile_compression"] = .string(header.tileCompression.description)
        guard header.boundsFault() == nil else { return }
        facts.meta["bounds"] = .array(header.bounds.degrees.compactMap(JSONNumber.init).map(JSONValue.number))
    }

    private mutating func addTable(_ survey: PMTilesSurvey) {
        let rows = survey.coverage.filter { $0.tileCount > 0 }.map {
            [String($0.zoom), String($0.tileCount), String(survey.byteCounts[$0.zoom])]
        }
        facts.tables.append(FactTable("Tiles by zoom", columns: ["zoom", "tiles", "bytes"], rows: rows))
    }
}

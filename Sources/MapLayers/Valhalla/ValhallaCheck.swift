package import Diagnostics
import DurableFiles
import Parallel

/// Checks a Valhalla tile tree: every tile is whole, lies at its place, and comes from the same build.
///
/// Reads no more than the header of each tile, so that a continent takes seconds.
package enum ValhallaCheck {
    /// - Parameter subset: the tiles are a cut of a larger build, whose build id they keep; that it fits their hashes is
    ///   then not asked.
    package static func facts(
        of source: any LayerSource, subset: Bool = false, context: WorkContext = WorkContext()
    ) throws(SnpackError) -> LayerFacts {
        var facts = LayerFacts()
        let sorted = ValhallaTreeFiles(source)
        sorted.addFaults(to: &facts, of: source)
        guard !sorted.tiles.isEmpty else { return facts }

        var tiles: [ValhallaTile] = []
        tiles.reserveCapacity(sorted.tiles.count)
        for outcome in try read(sorted.tiles, of: source, context) {
            switch outcome {
            case .success(let tile):
                tiles.append(tile)
                checkPlace(of: tile, in: source, &facts.faults)
            case .failure(let fault): facts.faults.add(fault)
            }
        }
        let isComplete = tiles.count == sorted.tiles.count
        var build = ValhallaBuild(tiles, subset: subset)
        build.check(isComplete: isComplete, in: source, &facts)
        build.describe(in: &facts)
        return facts
    }

    /// Reads all headers, in stretches so that a task is worth its thread.
    private static func read(
        _ entries: [ValhallaTreeFiles.Entry], of source: any LayerSource, _ context: WorkContext
    ) throws(SnpackError) -> [Result<ValhallaTile, SnpackError>] {
        let stretches = stride(from: 0, to: entries.count, by: 256).map { entries[$0..<min($0 + 256, entries.count)] }
        let outcomes = parallelMap(stretches, jobs: context.jobs) { stretch -> [Result<ValhallaTile, SnpackError>] in
            if context.cancel.isCancelled { return [] }
            return stretch.map { entry in
                Result { () throws(SnpackError) in try read(entry, of: source) }
            }
        }
        try context.cancel.check()
        return outcomes.flatMap { $0 }
    }

    private static func read(
        _ entry: ValhallaTreeFiles.Entry, of source: any LayerSource
    ) throws(SnpackError) -> ValhallaTile {
        let file = try source.open(entry.file)
        let head = try file.bytes(at: 0, count: Int(min(file.byteCount, UInt64(ValhallaTileHeader.byteCount))))
        guard let header = ValhallaTileHeader(head) else {
            throw SnpackError(
                .valhallaTileShort,
                "\(head.count) bytes are no tile: the header alone has \(ValhallaTileHeader.byteCount)",
                hint: "the disk was full or the copy broke off: build or copy the tiles again",
                path: source.shownPath(of: entry.file))
        }
        return ValhallaTile(file: entry.file, id: entry.id, header: header, byteCount: file.byteCount)
    }

    private static func checkPlace(of tile: ValhallaTile, in source: any LayerSource, _ faults: inout FaultList) {
        let (header, path) = (tile.header, source.shownPath(of: tile.file))
        if UInt64(header.tileByteCount) != tile.byteCount {
            faults.add(
                SnpackError(
                    .valhallaTileSize,
                    "the file has \(tile.byteCount) bytes, its header says \(header.tileByteCount)",
                    hint: "the disk was full or the copy broke off: build or copy the tiles again", path: path))
        }
        guard header.tileID == tile.id else {
            let told =
                header.tileID.map { "tile \($0.path)" } ?? "graph id \(header.graphID), which no tile has"
            faults.add(
                SnpackError(
                    .valhallaTileID, "its header says it is \(told)",
                    hint: "the file was renamed or moved: put the tree back as the builder wrote it", path: path))
            return
        }
        guard Double(header.baseLongitude) == tile.id.west, Double(header.baseLatitude) == tile.id.south else {
            faults.add(
                SnpackError(
                    .valhallaTileBase,
                    "its header says its corner is \(header.baseLongitude), \(header.baseLatitude); "
                        + "it must be \(tile.id.west), \(tile.id.south)",
                    hint: "the header is damaged, or another tile's: build or copy the tiles again", path: path))
            return
        }
    }
}

/// One tile whose header was read.
struct ValhallaTile: Sendable {
    let file: LayerSourceFile
    /// What its path says it is.
    let id: ValhallaTileID
    let header: ValhallaTileHeader
    let byteCount: UInt64
}

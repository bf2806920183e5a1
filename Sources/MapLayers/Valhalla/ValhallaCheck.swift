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
                tile.check(path: source.shownPath(of: tile.file), &facts.faults)
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
        let header = try ValhallaTile.header(of: file, path: source.shownPath(of: entry.file))
        return ValhallaTile(file: entry.file, id: entry.id, header: header, byteCount: file.byteCount)
    }
}

import Diagnostics
import Parallel

/// Reads every tile of an MBTiles database once and looks at each on all cores.
struct MBTilesContents {
    private static let batchByteCount = 1 << 20

    private(set) var coverage = (0...TileAddress.zoomLimit).map { TileCoverage(zoom: $0) }
    private(set) var byteCounts = [UInt64](repeating: 0, count: TileAddress.zoomLimit + 1)
    private(set) var faults = FaultList()

    init(of file: MBTilesFile, type: PMTilesTileType, context: WorkContext) throws(SnpackError) {
        let check = TileContentCheck(compression: nil, type: type)
        var (coverage, byteCounts, faults) = (coverage, byteCounts, faults)
        var index = 0
        try orderedPipeline(
            jobs: context.jobs,
            produce: { () throws(SnpackError) in
                try context.cancel.check()
                var batch = TileBatch()
                while index < file.keys.count, batch.byteCount < Self.batchByteCount {
                    let id = file.keys[index].id
                    let tile = try file.tile(file.keys[index])
                    index += 1
                    TileBlock.covering(id..<id + 1) {
                        coverage[$0.zoom].add($0)
                        byteCounts[$0.zoom] += UInt64(tile.count)
                    }
                    guard tile.count <= PMTilesContents.tileLimit else {
                        faults.add(.tooLarge(id, byteCount: tile.count))
                        continue
                    }
                    batch.append(tile, of: id)
                }
                return batch.contents.isEmpty ? nil : batch
            },
            transform: { batch throws(SnpackError) in try check.run(on: batch) },
            consume: { result throws(SnpackError) in
                for fault in result.faults { faults.add(fault) }
                context.report.advance(UInt64(result.byteCount))
            })
        (self.coverage, self.byteCounts, self.faults) = (coverage, byteCounts, faults)
    }
}

import Blobs
import Diagnostics
import DurableFiles
import MapLayers
import TerritoryModel

/// A region in the making: what it is, and the layers that were cut so far.
final class RegionDraft {
    /// What became of a layer.
    enum Content: Sendable {
        /// Cut; those of its files that are on disk lie in the draft's work directory, or in that of all.
        case cut(CutFiles)
        /// Taken as it is.
        case whole(Manifest.Layer)
        /// Only counted.
        case counted(fileCount: UInt64, byteCount: UInt64)
    }

    struct Layer: Sendable {
        let source: Manifest.Layer
        let content: Content
        /// Tiles or rows that were kept, where the kind has them.
        var itemCount: UInt64?
        /// False where what was built needs no longer what the source's layer needed.
        var keepsRequirements = true
        /// What the files hold, where other regions hold the same.
        var knownContent: LayerContent?
    }

    let request: RegionRequest
    let id: TerritoryID
    let footprint: AreaFootprint
    let box: BoundingBox
    let work: StagingDirectory
    private(set) var layers: [Layer] = []

    /// - Parameter directory: where the work directory is made.
    init(_ request: RegionRequest, of source: Manifest, workingIn directory: Directory) throws(SnpackError) {
        self.request = request
        id = request.area.territoryID(cutFrom: source.territoryID)
        footprint = AreaFootprint(request.area)
        box = try request.area.boundingBox
        work = try directory.makeStagingDirectory(mode: 0o700)
    }

    func add(_ layer: Layer) { layers.append(layer) }

    /// Tells that nothing of a layer lies in the area, so that the region goes without it.
    func leaveOut(_ layer: Manifest.Layer, _ context: WorkContext) {
        context.report.warn(
            SnpackError(
                .cutOutside, "nothing of layer \(layer.kind) lies in \(quoted(request.name.rawValue)): it is left out"))
    }
}

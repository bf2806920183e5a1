import Blobs
package import DurableFiles
package import TerritoryModel

/// How regions are cut.
package struct CutOptions: Sendable {
    /// nil: the source's.
    package var version: TerritoryVersion?
    /// The directory below which `<region id>/<version>/` is written.
    package var output: String
    /// Layers that are left out.
    package var omitted: Set<LayerKind> = []
    /// Layers that are taken whole.
    package var keptWhole: Set<LayerKind> = []
    /// Places as JSON lines, to build the search index from.
    package var places: String?
    /// Map tiles of deeper zooms are left out.
    package var maxZoom: Int?
    package var level = FrameEncoder.defaultLevel
    /// Releases whose layers patches start from; those of other regions are passed over.
    package var patchBases: [ReusableRelease] = []
    /// What makes the release, for its provenance.
    package var tool: String
    package var disk: any Disk = SystemDisk()

    package init(output: String, tool: String) {
        self.output = output
        self.tool = tool
    }
}

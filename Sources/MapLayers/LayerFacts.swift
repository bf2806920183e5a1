package import Diagnostics
package import TerritoryModel

/// What a checker learned of a layer, and what is wrong with it.
package struct LayerFacts: Sendable {
    /// Goes into the manifest's `meta`.
    package var meta: JSONObject = [:]
    /// Goes into the manifest's `requires`: engine name → minimum version.
    package var requires: [(engine: String, version: String)] = []
    /// The box that the content really covers, where the kind has one.
    package var coverage: BoundingBox?
    /// The `vector_layers` ids of a PMTiles archive, nil when it isn't one or has none.
    package var vectorLayers: [String]?
    /// What the layers of a style draw out of vector tiles.
    package var styleSourceLayers: [StyleSourceLayer] = []
    /// Every fault that a signature must not cover. `--allow CODE` turns one kind into a warning.
    package var faults = FaultList()
    /// Worth saying, no reason to refuse.
    package var warnings: [SnpackError] = []
    /// What `inspect` prints for people, besides ``meta``.
    package var tables: [FactTable] = []
    /// Paths in the source that are builder's leavings and do not travel (lock files, `index.bin`).
    package var leftOut: [String] = []

    package init() {}
}

/// A layer of a style document, and the layer of the vector tiles that it draws.
package struct StyleSourceLayer: Hashable, Sendable {
    /// `source-layer`
    package let name: String
    /// The style layer's id.
    package let layer: String
    /// What to call the document.
    package let path: String

    package init(name: String, layer: String, path: String) {
        self.name = name
        self.layer = layer
        self.path = path
    }
}

/// A small table for people: tiles per zoom, rows per kind.
package struct FactTable: Sendable {
    package let title: String
    package let columns: [String]
    package let rows: [[String]]

    package init(_ title: String, columns: [String], rows: [[String]]) {
        self.title = title
        self.columns = columns
        self.rows = rows
    }
}

package import Diagnostics
package import TerritoryModel

/// Checks the content of a layer by its kind: what is wrong with it, and what the manifest says of it.
package enum LayerCheck {
    /// - Parameter subset: the layer was cut, as regions are, out of a larger one that was checked: what its parts hold is
    ///   known to be right, and how they lie together is checked.
    /// - Throws: only when a file cannot be read or the work is cancelled; faults are in what is returned.
    package static func facts(
        of kind: LayerKind, in source: any LayerSource, subset: Bool = false, context: WorkContext
    ) throws(SnpackError) -> LayerFacts {
        switch kind {
        case .valhallaTiles: try ValhallaCheck.facts(of: source, subset: subset, context: context)
        case .pmtiles: try PMTilesCheck.check(source, subset: subset, context: context)
        case .geocodeIndex: try GeocodeCheck.facts(of: source, context: context)
        case .style: try StyleCheck.facts(of: source, context: context)
        case .poiSidecar: try PoiSidecarCheck.facts(of: source, context: context)
        // Of a kind yet to come nothing is known but its files.
        default: LayerFacts()
        }
    }
}

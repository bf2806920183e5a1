import Diagnostics
import DurableFiles
import MapLayers
import TerritoryModel
import TerritoryPackage

/// What is in the layers of an unpacked package, judged as `build` judges it.
struct LayerContents {
    private let package: PackageDirectory
    private let manifest: Manifest

    init(_ package: PackageDirectory, _ manifest: Manifest) {
        self.package = package
        self.manifest = manifest
    }

    /// Faults that the builder did not allow by name.
    func faults(context: WorkContext) throws(SnpackError) -> FaultList {
        let text = manifest.provenance?["allowed"]?.stringValue ?? ""
        let allowed = Set(text.split(separator: " ").map(String.init))
        var faults = FaultList()
        for layer in manifest.layers {
            var unread = FaultList()
            let tree = try FileTree(listing: package.path(of: layer), faults: &unread)
            let facts = try LayerCheck.facts(
                of: layer.kind, in: DiskLayer(tree), subset: manifest.region != nil, context: context
            )
            for fault in facts.faults.faults where !allowed.contains(fault.code.name) {
                faults.add(fault.at(package.path(of: layer)))
            }
        }
        return faults
    }
}

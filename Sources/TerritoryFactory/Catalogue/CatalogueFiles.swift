package import Diagnostics
import DurableFiles
import Hashing
package import TerritoryModel
package import TerritoryPackage

/// The catalogue's files in a channel: `catalogue.json`, `catalogue.geojson` and, last, `index.html`.
///
/// Nothing that verifies or installs reads them. They are written when the index is live and never undo that.
package struct CatalogueFiles {
    static let page = "index.html"
    static let document = "catalogue.json"
    static let areas = "catalogue.geojson"

    private let place: ChannelWorkplace
    private var root: Directory { place.root }

    package init(in place: ChannelWorkplace) { self.place = place }

    /// Makes the catalogue that of `index`, unless it is already. What goes wrong is a warning: the channel is live.
    ///
    /// - Parameter absent: listed versions that a partial mirror does not carry.
    package func update(
        _ index: Verified<ChannelIndex>, absent: Set<ReleaseName> = [], report: any ProgressReporter
    ) {
        do throws(SnpackError) { try write(index, absent) } catch {
            report.warn(
                SnpackError(
                    .catalogueNotWritten, "the channel is live, and its catalogue is not up to date: \(error.message)",
                    hint: error.hint ?? "run the command again, or snpack refresh", path: error.path))
        }
    }

    private func write(_ index: Verified<ChannelIndex>, _ absent: Set<ReleaseName>) throws(SnpackError) {
        let work = try root.directory(ChannelFile.work)
        var record = CatalogueRecord(in: work)
        let left = absent.map(\.description).sorted().joined(separator: " ")
        let source = Blake3Digest.of(CataloguePage.template + index.blake3.bytes + left.utf8)
        if record.source == source, try isWhole() { return }
        try checkPageIsOurs()
        let details = record.details(of: index.document, in: root)
        let catalogue = Catalogue(index: index, absent: absent, details: details)
        try place.put(catalogue.document, as: Self.document)
        try place.put(catalogue.areas, as: Self.areas)
        try place.put(catalogue.page, as: Self.page)
        try root.sync()
        record.source = source
        try work.removeLeftovers()
        try record.write(to: work)
    }

    private func isWhole() throws(SnpackError) -> Bool {
        for name in [Self.document, Self.areas, Self.page] where try !root.contains(name) { return false }
        return true
    }

    /// Throws for a page that its owner put there.
    private func checkPageIsOurs() throws(SnpackError) {
        guard try root.contains(Self.page) else { return }
        let beginning = CataloguePage.beginning
        let file = try? root.file(Self.page)
        let bytes = try? file?.bytes(at: 0, count: min(beginning.count, Int(clamping: file?.byteCount ?? 0)))
        guard bytes == beginning else {
            throw SnpackError(
                .catalogueForeignPage, "the channel has an index.html that snpack did not write; it stays",
                hint: "move it away, or give --no-catalogue", path: root.path(of: Self.page))
        }
    }
}

package import Diagnostics

/// What a search index layer is, as far as cutting it goes.
package enum IndexForm: Hashable, Sendable {
    /// Our own `places.sqlite`: it is built again.
    case places(path: String)
    /// Somebody's SQLite database: its tables are cut.
    case database(path: String)
    case tantivy
    case unknown

    /// - Throws: when a file cannot be read.
    package init(of source: any LayerSource) throws(SnpackError) {
        let databases = try DatabaseCheck.databases(in: source)
        if databases.count == 1, let file = databases.first {
            let isOurs = file.path == PlaceSchema.fileName || file.path.hasSuffix("/" + PlaceSchema.fileName)
            self = isOurs ? .places(path: file.path) : .database(path: file.path)
        } else if source.files.contains(where: { TantivyFiles.isOfAnIndex($0.path) }) {
            self = .tantivy
        } else {
            self = .unknown
        }
    }
}

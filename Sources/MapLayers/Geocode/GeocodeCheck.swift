import Database
package import Diagnostics
import DurableFiles

/// Checks a search index: an SQLite database with a full-text table, or a Tantivy directory.
package enum GeocodeCheck {
    package static func facts(
        of source: any LayerSource, context: WorkContext = WorkContext()
    ) throws(SnpackError) -> LayerFacts {
        var facts = LayerFacts()
        let databases = try databases(in: source)
        // Other programs call a file meta.json too.
        let hasTantivy = source.files.contains {
            TantivyFiles.isOfAnIndex($0.path) && ($0.path != TantivyFiles.meta || databases.isEmpty)
        }
        switch (hasTantivy, databases.count) {
        case (true, 0):
            try TantivyCheck(source, context).run(&facts)
        case (false, 1):
            try checkSidecars(of: databases[0], in: source, &facts.faults)
            try SQLiteIndexCheck(databases[0], in: source, context).run(&facts)
            tellExtraFiles(besides: databases[0], in: source, &facts)
        case (false, 0):
            let isSource = source.files.contains { $0.path.hasSuffix(".ndjson") }
            facts.faults.add(
                SnpackError(
                    .geocodeNotAnIndex, "there is neither an SQLite database nor Tantivy's meta.json",
                    hint: isSource
                        ? "name the .ndjson file itself as the source, or run snpack geocode build" : nil,
                    path: source.files.first.map(source.shownPath)))
        default:
            facts.faults.add(
                SnpackError(
                    .geocodeAmbiguous, "there is more than one index: a client would not know which to open",
                    hint: "leave one of them", path: source.files.first.map(source.shownPath)))
        }
        return facts
    }

    private static func databases(in source: any LayerSource) throws(SnpackError) -> [LayerSourceFile] {
        var databases: [LayerSourceFile] = []
        for file in source.files where file.byteCount >= UInt64(DatabaseHeader.byteCount) && !isSidecar(file.path) {
            let head = try source.open(file).bytes(at: 0, count: DatabaseHeader.magic.count)
            if head == DatabaseHeader.magic { databases.append(file) }
        }
        return databases
    }

    private static func isSidecar(_ path: String) -> Bool {
        DatabaseHeader.sidecarSuffixes.contains { path.hasSuffix($0) }
    }

    /// What SQLite has not yet brought into the database would be lost, as these files do not travel.
    private static func checkSidecars(
        of file: LayerSourceFile, in source: any LayerSource, _ faults: inout FaultList
    ) throws(SnpackError) {
        var found = source.files.filter { isSidecar($0.path) }.map(source.shownPath)
        if !source.isTree, let path = source.diskPath(of: file) {
            found += DatabaseHeader.sidecarSuffixes.map { path + $0 }.filter { FileIdentity.at($0) != nil }
        }
        for path in found {
            faults.add(
                SnpackError(
                    .geocodeSidecar, "rows may be in this file that are not in the database yet",
                    hint: "close the program that has the database open, then run PRAGMA journal_mode=DELETE on it",
                    path: path))
        }
    }

    private static func tellExtraFiles(
        besides database: LayerSourceFile, in source: any LayerSource, _ facts: inout LayerFacts
    ) {
        for file in source.files where file != database && !isSidecar(file.path) {
            facts.warnings.append(
                SnpackError(
                    .geocodeExtraFile, "the file belongs to no index, and travels all the same",
                    path: source.shownPath(of: file)))
        }
    }
}

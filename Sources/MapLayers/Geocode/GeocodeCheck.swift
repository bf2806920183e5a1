package import Diagnostics

/// Checks a search index: an SQLite database with a full-text table, or a Tantivy directory.
package enum GeocodeCheck {
    package static func facts(
        of source: any LayerSource, context: WorkContext = WorkContext()
    ) throws(SnpackError) -> LayerFacts {
        var facts = LayerFacts()
        let databases = try DatabaseCheck.databases(in: source)
        // Other programs call a file meta.json too.
        let hasTantivy = source.files.contains {
            TantivyFiles.isOfAnIndex($0.path) && ($0.path != TantivyFiles.meta || databases.isEmpty)
        }
        switch (hasTantivy, databases.count) {
        case (true, 0):
            try TantivyCheck(source, context).run(&facts)
        case (false, 1):
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

    private static func tellExtraFiles(
        besides database: LayerSourceFile, in source: any LayerSource, _ facts: inout LayerFacts
    ) {
        for file in source.files where file != database && !DatabaseCheck.sidecarPaths(of: database).contains(file.path)
        {
            facts.warnings.append(
                SnpackError(
                    .geocodeExtraFile, "the file belongs to no index, and travels all the same",
                    path: source.shownPath(of: file)))
        }
    }
}

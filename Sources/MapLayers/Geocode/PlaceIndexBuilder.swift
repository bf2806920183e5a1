import Database
package import Diagnostics
package import DurableFiles
package import TerritoryModel

/// What an index was built of.
package struct PlaceIndexSummary: Hashable, Sendable {
    package let documentCount: Int
    package let countsByKind: [PlaceKind: Int]
    package let coverage: BoundingBox?
    package let byteCount: UInt64
}

/// Builds `places.sqlite` out of places in any order, in constant memory.
///
/// Equal places give equal bytes (with one version of SQLite): rows are sorted by prominence and id, every statement is
/// the same, the file is vacuumed and its change counters are set. Nothing is visible before ``finish(replacing:)``.
package final class PlaceIndexBuilder {
    private let directory: Directory
    private let work: StagingDirectory
    private let database: Database
    private let context: WorkContext
    private let stage: Statement
    private var countsByKind: [PlaceKind: Int] = [:]
    private var coverage = PlaceCoverage()

    /// Begins an index that will lie in `directory`. Work files are made beside it and removed with the builder.
    package init(in directory: Directory, context: WorkContext = WorkContext()) throws(SnpackError) {
        self.directory = directory
        self.context = context
        work = try directory.makeStagingDirectory()
        database = try Database.create(work.contents.path(of: "work.sqlite"), cancel: context.cancel)
        // No journal and no flush: until it is finished, the work file is nothing.
        try database.execute(
            """
            PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;
            PRAGMA cache_size=-32768; PRAGMA temp_store=FILE;
            \(PlaceSchema.tables)
            CREATE TABLE staged(line INTEGER, prominence REAL, \(PlaceSchema.columns));
            BEGIN
            """)
        let marks = Array(repeating: "?", count: PlaceSchema.columnCount + 2).joined(separator: ", ")
        stage = try database.statement("INSERT INTO staged VALUES(\(marks))")
    }

    /// Adds a place. `line` is what a fault calls it.
    package func add(_ document: PlaceDocument, line: Int) throws(SnpackError) {
        let prominence = PlaceSchema.prominence(document.kind, importance: document.importance)
        defer { stage.reset() }
        try stage.bind([.integer(Int64(line)), .real(prominence)] + PlaceSchema.bindings(of: document))
        _ = try stage.step()
        countsByKind[document.kind, default: 0] += 1
        coverage.add(document.position)
    }

    /// Adds every place of a file of JSON lines.
    ///
    /// - Throws: all invalid lines in one error; what was added before stays.
    package func add(contentsOf file: any RandomAccess, named name: String) throws(SnpackError) {
        var faults = FaultList()
        try PlaceLines.forEach(in: file, named: name, context: context, faults: &faults) {
            (document, line) throws(SnpackError) in try add(document, line: line)
        }
        try checkForDuplicates(in: name, faults: &faults)
        try faults.throwIfAny("not all lines of \(quoted(name)) are places")
    }

    /// Sorts, indexes and writes the file, and flushes its directory.
    ///
    /// - Throws: `geocode.place-duplicate`, `geocode.no-places`.
    package func finish(
        as fileName: String = "places.sqlite", replacing: Bool = false
    ) throws(SnpackError) -> PlaceIndexSummary {
        var faults = FaultList()
        try checkForDuplicates(in: nil, faults: &faults)
        try faults.throwIfAny("places share ids")
        let documentCount = countsByKind.values.reduce(0, +)
        guard documentCount > 0 else {
            throw SnpackError(.geocodeNoPlaces, "there is no place to search for", hint: "leave the layer out")
        }
        try fill(documentCount)
        try database.execute("COMMIT")
        try database.vacuum(into: work.contents.path(of: "final.sqlite"))
        let byteCount = try promote("final.sqlite", as: fileName, replacing: replacing)
        return PlaceIndexSummary(
            documentCount: documentCount, countsByKind: countsByKind, coverage: coverage.box, byteCount: byteCount)
    }

    private func checkForDuplicates(in name: String?, faults: inout FaultList) throws(SnpackError) {
        let rows = try database.statement(
            """
            SELECT id, min(line), max(line) FROM staged GROUP BY id HAVING count(*) > 1 ORDER BY min(line) LIMIT 1000
            """)
        try rows.forEach { row throws(SnpackError) in
            faults.add(
                SnpackError(
                    .geocodePlaceDuplicate,
                    "lines \(row.integer(at: 1)) and \(row.integer(at: 2)) have the same id, \(quoted(row.text(at: 0)))",
                    hint: "give every place an id of its own", path: name))
        }
    }

    private func fill(_ documentCount: Int) throws(SnpackError) {
        let sorted = try database.statement(
            "SELECT \(PlaceSchema.columns) FROM staged ORDER BY prominence DESC, id")
        let marks = Array(repeating: "?", count: PlaceSchema.columnCount + 1).joined(separator: ", ")
        let place = try database.statement(
            "INSERT INTO place(\(PlaceSchema.columns), cell, number) VALUES(\(marks), ?)")
        let text = try database.statement("INSERT INTO place_text(rowid, whole, words, cells) VALUES(?, ?, ?, ?)")
        var number: Int64 = 0
        try sorted.forEach { row throws(SnpackError) in
            number += 1
            let document = try PlaceSchema.document(in: row)
            let cell = DatabaseValue.integer(Int64(PlaceGrid.position.number(document.position)))
            defer { place.reset() }
            try place.bind(PlaceSchema.bindings(of: document) + [cell, .integer(number)])
            _ = try place.step()
            let terms = PlaceTerms(document)
            try text.run(.integer(number), .text(terms.whole), .text(terms.words), .text(terms.cells))
        }
        try writeMeta(documentCount)
        try database.execute(
            """
            DROP TABLE staged;
            \(PlaceSchema.index);
            INSERT INTO place_text(place_text) VALUES('optimize')
            """)
    }

    private func writeMeta(_ documentCount: Int) throws(SnpackError) {
        let insert = try database.statement("INSERT INTO meta VALUES(?, ?)")
        func write(_ key: String, _ value: some CustomStringConvertible) throws(SnpackError) {
            try insert.run(.text(key), .text(value.description))
        }
        try write("schema_version", PlaceSchema.version)
        try write("documents", documentCount)
        for kind in PlaceKind.allCases { try write("documents_\(kind.rawValue)", countsByKind[kind] ?? 0) }
        if let box = coverage.box.map({ PlaceBox($0) }) {
            try write("west_e7", box.west)
            try write("south_e7", box.south)
            try write("east_e7", box.east)
            try write("north_e7", box.north)
        }
    }

    /// Copies the finished file through the disk seam, with fixed counters: SQLite's own differ from run to run.
    private func promote(_ name: String, as fileName: String, replacing: Bool) throws(SnpackError) -> UInt64 {
        let file = try work.contents.file(name)
        let staged = try StagedFile(in: directory)
        try file.readPieces(cancel: context.cancel) { piece, offset throws(SnpackError) in
            if offset == 0 { DatabaseHeader.setCounters(piece) }
            try staged.write(UnsafeRawBufferPointer(piece))
        }
        try staged.commit(as: fileName, replacing: replacing)
        try directory.sync()
        return file.byteCount
    }
}

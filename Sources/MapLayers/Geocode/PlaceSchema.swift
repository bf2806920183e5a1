import Database
import Diagnostics

/// The tables of `places.sqlite`. A change here is a new ``version``.
enum PlaceSchema {
    static let version = 1
    /// `PRAGMA application_id`: "SnPl".
    static let applicationID: UInt32 = 0x536E_506C
    /// What a layer calls the file.
    static let fileName = "places.sqlite"

    static let tables = """
        PRAGMA application_id=\(applicationID);
        PRAGMA user_version=\(version);
        CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE place(
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            housenumber TEXT,
            street TEXT,
            locality TEXT,
            region TEXT,
            postcode TEXT,
            country_code TEXT NOT NULL,
            lat_e7 INTEGER NOT NULL,
            lon_e7 INTEGER NOT NULL,
            categories TEXT NOT NULL,
            importance REAL NOT NULL,
            cell INTEGER NOT NULL);
        CREATE VIRTUAL TABLE place_text USING fts5(
            whole, words, cells, content='', prefix='2 3 4',
            tokenize="unicode61 remove_diacritics 2 categories 'L* M* N*'");
        """

    /// Made last, when its rows can be sorted once. Covers what a search by position looks at.
    static let index = "CREATE INDEX place_position ON place(cell, lat_e7, lon_e7)"

    /// The columns that make up a document, in the order of ``bindings(of:)`` and ``document(in:from:)``.
    static let columns = """
        id, kind, name, housenumber, street, locality, region, postcode, country_code, lat_e7, lon_e7, categories, \
        importance
        """
    static let columnCount = 13

    static func bindings(of document: PlaceDocument) -> [DatabaseValue] {
        func optional(_ text: String?) -> DatabaseValue { text.map(DatabaseValue.text) ?? .null }
        return [
            .text(document.id), .text(document.kind.rawValue), .text(document.name), optional(document.housenumber),
            optional(document.street), optional(document.locality), optional(document.region),
            optional(document.postcode), .text(document.countryCode), .integer(Int64(document.position.latE7)),
            .integer(Int64(document.position.lonE7)), .text(document.categories.joined(separator: "\n")),
            .real(document.importance),
        ]
    }

    /// Reads ``columns``, the first of which is column `first` of the row.
    ///
    /// - Throws: `geocode.schema-broken` when the row is no valid place.
    static func document(in row: Statement, from first: Int = 0) throws(SnpackError) -> PlaceDocument {
        func optional(_ index: Int) -> String? {
            row.type(at: first + index) == .null ? nil : row.text(at: first + index)
        }
        let id = row.text(at: first)
        guard let kind = PlaceKind(rawValue: row.text(at: first + 1)),
            let position = PlacePosition(latE7: row.integer(at: first + 9), lonE7: row.integer(at: first + 10))
        else {
            throw SnpackError(.geocodeSchemaBroken, "the row of place \(quoted(id)) is damaged")
        }
        do {
            return try PlaceDocument(
                id: id, kind: kind, name: row.text(at: first + 2), housenumber: optional(3), street: optional(4),
                locality: optional(5), region: optional(6), postcode: optional(7), countryCode: row.text(at: first + 8),
                position: position,
                categories: row.text(at: first + 11).split(separator: "\n").map(String.init),
                importance: row.real(at: first + 12))
        } catch { throw error.recoded(.geocodeSchemaBroken, prefix: "the row of place \(quoted(id)) is damaged: ") }
    }

    /// How prominent a place is without a query, 0 to 1. Rows are sorted by it, so that the first hits are the best.
    static func prominence(_ kind: PlaceKind, importance: Double) -> Double {
        let weight =
            switch kind {
            case .locality: 1.0
            case .postcode: 0.8
            case .street: 0.6
            case .poi: 0.5
            case .address: 0.3
            }
        return (weight + importance) / 2
    }
}

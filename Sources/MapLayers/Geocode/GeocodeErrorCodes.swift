package import Diagnostics

// Places as a source.
extension ErrorCode {
    /// A line of `places.ndjson` is no valid place.
    package static let geocodePlaceInvalid = ErrorCode("geocode.place-invalid", .verification)
    /// Two places of a source have one id.
    package static let geocodePlaceDuplicate = ErrorCode("geocode.place-duplicate", .verification)
    /// A source holds no place at all.
    package static let geocodeNoPlaces = ErrorCode("geocode.no-places", .verification)
}

// An index as a layer.
extension ErrorCode {
    /// The files are neither an SQLite index nor a Tantivy directory.
    package static let geocodeNotAnIndex = ErrorCode("geocode.not-an-index", .verification)
    /// The layer holds more than one index.
    package static let geocodeAmbiguous = ErrorCode("geocode.ambiguous", .verification)
    /// Our index in a schema version that this program does not know.
    package static let geocodeSchemaUnknown = ErrorCode("geocode.schema-unknown", .unsupported)
    /// Our index, but tables or counts are not what its version says.
    package static let geocodeSchemaBroken = ErrorCode("geocode.schema-broken", .verification)
    /// The SQLite index is in WAL mode.
    package static let geocodeWAL = ErrorCode("geocode.wal", .verification)
    /// A `-wal`, `-shm` or `-journal` file lies beside the SQLite index.
    package static let geocodeSidecar = ErrorCode("geocode.sidecar", .verification)
    /// SQLite's integrity check finds faults.
    package static let geocodeIntegrity = ErrorCode("geocode.integrity", .verification)
    /// The full-text table does not hold together, or is out of step with its content.
    package static let geocodeTextIntegrity = ErrorCode("geocode.fts-integrity", .verification)
    /// The full-text table needs a module or tokenizer that plain SQLite does not have.
    package static let geocodeTextUnsupported = ErrorCode("geocode.fts-unsupported", .unsupported)
    /// The SQLite database has no full-text table.
    package static let geocodeNoTextTable = ErrorCode("geocode.no-fts-table", .verification)
    /// Files in the layer that belong to no index.
    package static let geocodeExtraFile = ErrorCode("geocode.extra-file", .verification)
}

// A Tantivy directory as a layer.
extension ErrorCode {
    package static let geocodeTantivyMetaMissing = ErrorCode("geocode.tantivy-meta-missing", .verification)
    /// `meta.json` is no JSON, or not the JSON that Tantivy writes.
    package static let geocodeTantivyMetaMalformed = ErrorCode("geocode.tantivy-meta-malformed", .verification)
    /// The index lacks a field that a place needs.
    package static let geocodeTantivySchema = ErrorCode("geocode.tantivy-schema", .verification)
    /// `meta.json` names a segment of which a file is not there.
    package static let geocodeTantivyFileMissing = ErrorCode("geocode.tantivy-file-missing", .verification)
    /// A file does not end in Tantivy's footer: it was cut short, or is something else.
    package static let geocodeTantivyFooter = ErrorCode("geocode.tantivy-footer", .verification)
    /// A file's bytes do not have the checksum in its footer.
    package static let geocodeTantivyChecksum = ErrorCode("geocode.tantivy-checksum", .verification)
    /// Files of two index formats in one index.
    package static let geocodeTantivyMixed = ErrorCode("geocode.tantivy-mixed", .verification)
    /// Files that no segment of `meta.json` owns.
    package static let geocodeTantivyStray = ErrorCode("geocode.tantivy-stray", .verification)
}

// Searching.
extension ErrorCode {
    /// The point or limit of a search is out of range.
    package static let geocodeQueryInvalid = ErrorCode("geocode.query-invalid", .usage)
}

import Diagnostics
import SnpackTestSupport
import TerritoryModel
import Testing

/// Checks manifests that were edited: one that keeps the rules is read, any other is refused by the key path at fault.
protocol ManifestChecks {}

extension ManifestChecks {
    typealias Edit = (inout JSONValue) -> Void

    func check(
        _ edits: [(place: String, isFine: Bool, edit: Edit)], in path: String = Documents.manifest,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for (place, isFine, edit) in edits {
            var document = try Documents.value(path)
            edit(&document)
            let bytes = document.canonicalBytes
            if isFine {
                #expect(throws: Never.self, "\(place)", sourceLocation: sourceLocation) {
                    try Manifest(decoding: bytes)
                }
            } else {
                let error = try fault(sourceLocation: sourceLocation) { _ = try Manifest(decoding: bytes) }
                #expect(error.code.name == "manifest.malformed", sourceLocation: sourceLocation)
                #expect(error.code.exitStatus == .verification, sourceLocation: sourceLocation)
                #expect(error.message.hasPrefix(place + ": "), "\(place): \(error)", sourceLocation: sourceLocation)
            }
        }
    }

    /// Rows that set one key path to a value.
    func rows(_ path: String, _ values: [(JSONValue?, Bool)]) -> [(place: String, isFine: Bool, edit: Edit)] {
        values.map { value, isFine in (path, isFine, { $0[path: path] = value }) }
    }
}

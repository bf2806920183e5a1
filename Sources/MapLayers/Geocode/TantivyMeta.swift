import Diagnostics
import TerritoryModel

/// What Tantivy's `meta.json` says: which segments there are, and which fields.
struct TantivyMeta {
    struct Segment {
        /// 32 hex digits
        let stem: String
        let documentCount: UInt64
        let deletedCount: UInt64
        /// The files that the segment must have.
        let files: [String]
    }

    static let byteLimit = 16 << 20
    let segments: [Segment]
    let fieldNames: [String]

    /// - Throws: `geocode.tantivy-meta-malformed`.
    init(decoding bytes: [UInt8]) throws(SnpackError) {
        let document: JSONValue
        do { document = try StrictJSON.parse(bytes) } catch {
            throw error.recoded(.geocodeTantivyMetaMalformed, prefix: "it is no whole JSON document: ")
        }
        guard let object = document.objectValue, let segments = object["segments"]?.arrayValue,
            let schema = object["schema"]?.arrayValue, object["opstamp"]?.numberValue?.unsignedInteger != nil
        else { throw Self.malformed("it has no segments, schema and opstamp") }
        self.segments = try segments.map { value throws(SnpackError) in try Self.segment(value) }
        fieldNames = try schema.map { value throws(SnpackError) in
            guard let name = value.objectValue?["name"]?.stringValue else {
                throw Self.malformed("a field has no name")
            }
            return name
        }
    }

    /// Live documents.
    var documentCount: UInt64 {
        segments.reduce(0) { $0 &+ ($1.documentCount - min($1.documentCount, $1.deletedCount)) }
    }

    private static func segment(_ value: JSONValue) throws(SnpackError) -> Segment {
        guard let object = value.objectValue, let id = object["segment_id"]?.stringValue,
            let stem = TantivyFiles.stem(ofSegment: id),
            let documentCount = object["max_doc"]?.numberValue?.unsignedInteger, documentCount <= UInt64(UInt32.max)
        else { throw malformed("a segment has no id and count of documents") }
        var files = TantivyFiles.components.map { "\(stem).\($0)" }
        var deletedCount: UInt64 = 0
        switch object["deletes"] {
        case nil, .null?: break
        case .object(let deletes)?:
            guard let count = deletes["num_deleted_docs"]?.numberValue?.unsignedInteger,
                let stamp = deletes["opstamp"]?.numberValue?.unsignedInteger
            else { throw malformed("the deletes of segment \(stem) have no count and opstamp") }
            deletedCount = count
            files.append("\(stem).\(stamp).del")
        default: throw malformed("the deletes of segment \(stem) are no object")
        }
        return Segment(stem: stem, documentCount: documentCount, deletedCount: deletedCount, files: files)
    }

    private static func malformed(_ reason: String) -> SnpackError {
        SnpackError(.geocodeTantivyMetaMalformed, "it is not what Tantivy writes: \(reason)")
    }
}

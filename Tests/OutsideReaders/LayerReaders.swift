import Blobs
import Compression
import Diagnostics
import DurableFiles
import Glibc
import MapLayers
import TerritoryModel

enum LayerReaders {
    /// A layer whose files are in memory.
    private struct Files: LayerSource {
        var contents: [(path: String, bytes: [UInt8])]
        var isTree = true

        var files: [LayerSourceFile] {
            contents.map { LayerSourceFile(path: $0.path, byteCount: UInt64($0.bytes.count)) }
                .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        }
        func shownPath(of file: LayerSourceFile) -> String { file.path }
        func diskPath(of file: LayerSourceFile) -> String? { nil }
        func open(_ file: LayerSourceFile) throws(SnpackError) -> any RandomAccess {
            MemoryFile(contents.first { $0.path == file.path }?.bytes ?? [], name: file.path)
        }
    }

    private static func check(_ kind: LayerKind, _ contents: [(String, [UInt8])], isTree: Bool = true)
        throws(SnpackError)
    {
        let facts = try LayerCheck.facts(
            of: kind, in: Files(contents: contents, isTree: isTree), context: WorkContext(jobs: 1))
        // What goes into a manifest must be such that a reader takes it.
        _ = JSONValue.object(facts.meta).canonicalBytes
    }

    // MARK: Map tiles

    static func pmtiles(_ bytes: [UInt8]) throws(SnpackError) {
        try check(.pmtiles, [("map.pmtiles", bytes)], isTree: false)
    }

    static func pmtilesDirectory(_ bytes: [UInt8]) throws(SnpackError) {
        try bytes.withBytes { bytes throws(SnpackError) in
            let entries = try PMTilesDirectory.decode(bytes)
            let again = PMTilesDirectory.encode(entries)
            try again.withBytes { again throws(SnpackError) in
                mustHold(try PMTilesDirectory.decode(again) == entries, "a directory does not survive")
            }
        }
    }

    static func vectorTile(_ bytes: [UInt8]) throws(SnpackError) {
        bytes.withUnsafeBytes { bytes in
            var names = VectorLayerNames()
            _ = Result { () throws(MalformedProtobuf) in try VectorTile.scan(bytes, names: &names) }
        }
    }

    static func gzip(_ bytes: [UInt8]) throws(SnpackError) {
        mustHold(try Gunzip().decompress(bytes, limit: 1 << 20).count <= 1 << 20)
    }

    // MARK: Routing tiles

    static func valhallaTile(_ bytes: [UInt8]) throws(SnpackError) {
        try check(.valhallaTiles, [("2/000/769/709.gph", bytes)])
    }

    static func tilesTar(_ bytes: [UInt8]) throws(SnpackError) {
        _ = try ValhallaTarUnpack.facts(of: MemoryFile(bytes), context: WorkContext(jobs: 1))
    }

    /// The archive's `index.bin`, with one tile behind it.
    static func tilesIndex(_ bytes: [UInt8]) throws(SnpackError) {
        var tar: [UInt8] = []
        for (path, bytes) in [("index.bin", bytes), ("2/000/769/709.gph", [UInt8](repeating: 3, count: 300))] {
            let entry = TarEntry(path: path, byteCount: UInt64(bytes.count))
            tar += entry.headers + bytes + [UInt8](repeating: 0, count: entry.paddingByteCount)
        }
        try tilesTar(tar + [UInt8](repeating: 0, count: TarEntry.endByteCount))
    }

    // MARK: Search

    static func tantivy(_ bytes: [UInt8]) throws(SnpackError) { try check(.geocodeIndex, [("meta.json", bytes)]) }

    /// Every file of a segment ends in a footer.
    static func tantivyFooter(_ bytes: [UInt8]) throws(SnpackError) {
        let stem = "0123456789abcdef0123456789abcdef"
        let meta = """
            {"index_settings": {"docstore_compression": "lz4"}, "segments":
            [{"segment_id": "01234567-89ab-cdef-0123-456789abcdef", "max_doc": 3, "deletes": null}],
            "schema": [{"name": "name", "type": "text"}], "opstamp": 3}
            """
        let parts = ["fast", "fieldnorm", "idx", "pos", "store", "term"].map { ("\(stem).\($0)", bytes) }
        try check(.geocodeIndex, parts + [("meta.json", Array(meta.utf8))])
    }

    static func places(_ bytes: [UInt8]) throws(SnpackError) { _ = try PlaceDocument(decoding: bytes) }

    // MARK: Style and databases

    static func style(_ bytes: [UInt8]) throws(SnpackError) { try check(.style, [("style.json", bytes)]) }

    static func glyphs(_ bytes: [UInt8]) throws(SnpackError) {
        try GlyphRange(fileName: "0-255.pbf")?.check(bytes)
    }

    /// The first byte shares the rest out between a sprite's JSON and its image.
    static func sprite(_ bytes: [UInt8]) throws(SnpackError) {
        guard let share = bytes.first else { return }
        let cut = 1 + (bytes.count - 1) * Int(share) / 255
        let style = #"{"version": 8, "sprite": "sprite", "sources": {}, "layers": []}"#
        try check(
            .style,
            [
                ("sprite.json", Array(bytes[1..<cut])), ("sprite.png", Array(bytes[cut...])),
                ("style.json", Array(style.utf8)),
            ])
    }

    static func database(_ bytes: [UInt8]) throws(SnpackError) {
        try check(.poiSidecar, [("poi.sqlite", bytes)], isTree: false)
        try check(.geocodeIndex, [("places.sqlite", bytes)])
    }

    /// In a file of its own: the check reads its database from disk.
    static func mbtiles(_ bytes: [UInt8]) throws(SnpackError) {
        var name = Array("/tmp/snpack-fuzz-XXXXXX".utf8CString)
        let file = mkstemp(&name)
        let path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer {
            close(file)
            unlink(path)
        }
        guard file >= 0, bytes.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == bytes.count else { return }
        _ = try MBTilesCheck.check(path, context: WorkContext(jobs: 1))
    }
}

import Diagnostics

/// Every reader of bytes that come from outside, by the name it has in `Tests/Fixtures/fuzz` and in `scripts/fuzz`.
///
/// A reader may refuse its bytes with an error; it must not trap, hang, or take memory that the bytes do not pay for.
/// What a reader accepts it must be able to write again: those of our own formats are held to that, too.
package enum OutsideReader: String, CaseIterable, Sendable {
    // Documents
    case json, manifest, index, signedIndex = "signed-index", definition, area, version, scalars, mark
    // Trust
    case signature, keyFile = "key-file", pem
    // Blobs and packages
    case tar, frame, chunkTable = "chunk-table", blob, patchSteps = "patch-steps", patch, snpkg
    // Layers
    case pmtiles, pmtilesDirectory = "pmtiles-directory", mvt, gzip, valhallaTile = "valhalla-tile"
    case tilesTar = "tiles-tar", tilesIndex = "tiles-index", tantivy, tantivyFooter = "tantivy-footer", places
    case style, glyphs, sprite, database, mbtiles
    // Network
    case httpHead = "http-head", url, served

    /// Hands `bytes` to the reader and passes over its refusal.
    package func read(_ bytes: [UInt8]) {
        do throws(SnpackError) { try reader(bytes) } catch {
            // An error is made to be shown.
            mustHold(!error.message.isEmpty && !error.code.name.isEmpty)
        }
    }

    private var reader: ([UInt8]) throws(SnpackError) -> Void {
        switch self {
        case .json: DocumentReaders.json
        case .manifest: DocumentReaders.manifest
        case .index: DocumentReaders.index
        case .signedIndex: DocumentReaders.signedIndex
        case .definition: DocumentReaders.definition
        case .area: DocumentReaders.area
        case .version: DocumentReaders.version
        case .scalars: DocumentReaders.scalars
        case .mark: DocumentReaders.mark
        case .signature: TrustReaders.signature
        case .keyFile: TrustReaders.keyFile
        case .pem: TrustReaders.pem
        case .tar: BlobReaders.tar
        case .frame: BlobReaders.frame
        case .chunkTable: BlobReaders.chunkTable
        case .blob: BlobReaders.blob
        case .patchSteps: BlobReaders.patchSteps
        case .patch: BlobReaders.patch
        case .snpkg: BlobReaders.snpkg
        case .pmtiles: LayerReaders.pmtiles
        case .pmtilesDirectory: LayerReaders.pmtilesDirectory
        case .mvt: LayerReaders.vectorTile
        case .gzip: LayerReaders.gzip
        case .valhallaTile: LayerReaders.valhallaTile
        case .tilesTar: LayerReaders.tilesTar
        case .tilesIndex: LayerReaders.tilesIndex
        case .tantivy: LayerReaders.tantivy
        case .tantivyFooter: LayerReaders.tantivyFooter
        case .places: LayerReaders.places
        case .style: LayerReaders.style
        case .glyphs: LayerReaders.glyphs
        case .sprite: LayerReaders.sprite
        case .database: LayerReaders.database
        case .mbtiles: LayerReaders.mbtiles
        case .httpHead: NetworkReaders.head
        case .url: NetworkReaders.url
        case .served: NetworkReaders.served
        }
    }
}

/// Ends the process, and so the fuzzer's run, when a reader breaks its word.
func mustHold(_ condition: Bool, _ broken: String = "a reader broke its word") { precondition(condition, broken) }

package import Diagnostics
public import Hashing

extension Manifest {
    /// A layer as it travels: a `.tar.zst` file whose last frame is its chunk table.
    public struct Blob: Hashable, Sendable {
        /// The file's name: the layer's path and `.tar.zst`.
        public let file: String
        /// Bytes of the whole file.
        public let byteCount: UInt64
        /// The digest of the whole file.
        public let blake3: Blake3Digest
        /// Bytes of the tar stream within.
        public let tarByteCount: UInt64
        /// Bytes of the chunk table at the file's end, its 8-byte frame head included.
        public let tableByteCount: UInt64
        /// The digest of those bytes.
        public let tableBlake3: Blake3Digest

        /// The number of chunks, as the table's size says.
        public var chunkCount: UInt64 {
            (tableByteCount - Limits.chunkTableHeadBytes) / Limits.chunkEntryBytes
        }

        /// The blob of the layer at `path`, which has `fileCount` files of `layerByteCount` bytes in all.
        ///
        /// - Throws: `manifest.malformed` with the key path, within the blob, of what a reader would refuse.
        package init(
            of path: LayerPath, fileCount: UInt64, layerByteCount: UInt64, byteCount: UInt64, blake3: Blake3Digest,
            tarByteCount: UInt64, tableByteCount: UInt64, tableBlake3: Blake3Digest
        ) throws(SnpackError) {
            file = path.blobFile
            self.byteCount = byteCount
            self.blake3 = blake3
            self.tarByteCount = tarByteCount
            self.tableByteCount = tableByteCount
            self.tableBlake3 = tableBlake3
            let field = DocumentField(root: json, malformed: .manifestMalformed)
            _ = try Blob(field, of: path, fileCount: fileCount, byteCount: layerByteCount)
        }

        /// `fileCount` and `byteCount` are the layer's, already checked.
        init(
            _ field: DocumentField, of path: LayerPath, fileCount: UInt64, byteCount layerByteCount: UInt64
        ) throws(SnpackError) {
            file = path.blobFile
            try field.required("file").mustBe(file)
            blake3 = try field.required("blake3").digest()
            tableBlake3 = try field.required("table_blake3").digest()

            // Below 2^53 + 2^32: nothing here overflows.
            let content = layerByteCount + Limits.tarEndBytes
            let tarField = try field.required("tar_bytes")
            tarByteCount = try tarField.integer()
            let least = content + Limits.tarBytesPerFileAtLeast * fileCount
            let most = content + Limits.tarBytesPerFileAtMost * fileCount
            guard (least...most).contains(tarByteCount) else {
                throw tarField.fault(
                    "\(tarByteCount) bytes; these files make a tar stream of \(least) to \(most) bytes")
            }

            let tableField = try field.required("table_bytes")
            tableByteCount = try tableField.integer()
            let chunks = Limits.chunks(tarBytes: tarByteCount)
            guard tableByteCount > Limits.chunkTableHeadBytes,
                (tableByteCount - Limits.chunkTableHeadBytes).isMultiple(of: Limits.chunkEntryBytes),
                chunks.contains((tableByteCount - Limits.chunkTableHeadBytes) / Limits.chunkEntryBytes)
            else {
                throw tableField.fault("\(tableByteCount) is not 24 + 72 for each of 1 to \(chunks.upperBound) chunks")
            }

            // At most 2^34 chunks, so again nothing overflows.
            let count = (tableByteCount - Limits.chunkTableHeadBytes) / Limits.chunkEntryBytes
            let bytesField = try field.required("bytes")
            byteCount = try bytesField.integer()
            let possible = (tableByteCount + count)...(tableByteCount + count * Limits.chunkFrameBytes)
            guard possible.contains(byteCount) else {
                throw bytesField.fault(
                    "\(byteCount) bytes; a table and \(count) frames take \(possible.lowerBound) to \(possible.upperBound)"
                )
            }
        }

        var json: JSONValue {
            [
                "file": .string(file), "bytes": .number(JSONNumber(byteCount)), "blake3": .string(blake3.hex),
                "tar_bytes": .number(JSONNumber(tarByteCount)), "table_bytes": .number(JSONNumber(tableByteCount)),
                "table_blake3": .string(tableBlake3.hex),
            ]
        }
    }
}

package import Diagnostics
public import Hashing

extension Manifest {
    /// A file that turns an older layer into this one and saves bytes.
    public struct Patch: Hashable, Sendable {
        /// The older layer's content address in full.
        public let from: Blake3Digest
        /// Bytes of the whole file.
        public let byteCount: UInt64
        /// The digest of the whole file.
        public let blake3: Blake3Digest
        /// Bytes of the older layer's tar stream.
        public let oldTarByteCount: UInt64
        /// Bytes of the step frame at the file's end, its 8-byte head included.
        public let tableByteCount: UInt64

        /// The file's name: `from-<the older layer's addr>.patch`.
        public var file: String { "from-\(from.shortHex).patch" }

        /// The number of steps, as the step frame's size says.
        public var stepCount: UInt64 { (tableByteCount - Limits.patchTableHeadBytes) / Limits.patchStepBytes }

        /// A patch of these parts.
        ///
        /// - Throws: `manifest.malformed` with the key path, within the patch, of what a reader would refuse.
        package init(
            from: Blake3Digest, byteCount: UInt64, blake3: Blake3Digest, oldTarByteCount: UInt64, tableByteCount: UInt64
        ) throws(SnpackError) {
            self.from = from
            self.byteCount = byteCount
            self.blake3 = blake3
            self.oldTarByteCount = oldTarByteCount
            self.tableByteCount = tableByteCount
            _ = try Patch(DocumentField(root: json, malformed: .manifestMalformed))
        }

        init(_ field: DocumentField) throws(SnpackError) {
            from = try field.required("from").digest()
            blake3 = try field.required("blake3").digest()
            oldTarByteCount = try field.required("old_tar_bytes").integer()

            let tableField = try field.required("table_bytes")
            tableByteCount = try tableField.integer()
            guard tableByteCount >= Limits.patchTableHeadBytes,
                (tableByteCount - Limits.patchTableHeadBytes).isMultiple(of: Limits.patchStepBytes),
                Limits.patchSteps.contains((tableByteCount - Limits.patchTableHeadBytes) / Limits.patchStepBytes)
            else {
                throw tableField.fault(
                    "\(tableByteCount) is not 24 + 28 for each of 1 to \(Limits.patchSteps.upperBound) steps")
            }

            let steps = (tableByteCount - Limits.patchTableHeadBytes) / Limits.patchStepBytes
            let bytesField = try field.required("bytes")
            byteCount = try bytesField.integer()
            let possible = tableByteCount...(tableByteCount + steps * Limits.patchFrameBytes)
            guard possible.contains(byteCount) else {
                throw bytesField.fault(
                    "\(byteCount) bytes; \(steps) steps take \(possible.lowerBound) to \(possible.upperBound)")
            }
            try field.required("file").mustBe(file)
        }

        /// Reads a layer's optional `patches`.
        static func list(_ field: DocumentField?, to layer: Blake3Digest) throws(SnpackError) -> [Patch] {
            var patches: [Patch] = []
            for field in try field?.elements(Limits.patches) ?? [] {
                let patch = try Patch(field)
                let from = try field.required("from")
                if patch.from == layer { throw from.fault("this is the layer itself") }
                // Compared by what names the file, so that two patches never share one.
                if let previous = patches.last, previous.from.shortHex >= patch.from.shortHex {
                    throw from.fault("patches must ascend by \"from\", one from each layer")
                }
                patches.append(patch)
            }
            return patches
        }

        var json: JSONValue {
            [
                "from": .string(from.hex), "file": .string(file), "bytes": .number(JSONNumber(byteCount)),
                "blake3": .string(blake3.hex), "old_tar_bytes": .number(JSONNumber(oldTarByteCount)),
                "table_bytes": .number(JSONNumber(tableByteCount)),
            ]
        }
    }
}

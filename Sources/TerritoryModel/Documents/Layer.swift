package import Diagnostics
public import Hashing

extension Manifest {
    /// One layer: what its files are, and the blob and patches that carry them.
    public struct Layer: Hashable, Sendable {
        /// What the layer is.
        public let kind: LayerKind
        /// Where it lies below the package root.
        public let path: LayerPath
        /// True for a directory tree, false for one file.
        public let isTree: Bool
        /// The number of files; 1 unless it is a tree.
        public let fileCount: UInt64
        /// Bytes of all files.
        public let byteCount: UInt64
        /// The content address in full: of the file, or of the tree's listing.
        public let blake3: Blake3Digest
        /// The layer as it travels.
        public let blob: Blob
        /// Ways to this layer from older ones, ascending by the older one's digest.
        public let patches: [Patch]
        /// The engines that read the layer.
        public let requires: EngineRequirements
        /// Facts that the factory read out of the layer. No reader decides by them.
        public let meta: JSONObject?

        /// The first 16 hexadecimal digits of ``blake3``. Names a directory and proves nothing.
        public var address: String { blake3.shortHex }
        /// Where the blob and patches lie below the release's directory: `layers/<addr>`.
        public var directory: String { "layers/\(address)" }
        /// The blob's path below the release's directory.
        public var blobPath: String { "\(directory)/\(blob.file)" }
        /// The path of one of ``patches`` below the release's directory.
        public func path(of patch: Patch) -> String { "\(directory)/\(patch.file)" }

        /// A layer of these parts. Patches are sorted.
        ///
        /// - Throws: `manifest.malformed` with the key path, within the layer, of what a reader would refuse.
        package init(
            kind: LayerKind, path: LayerPath, isTree: Bool, fileCount: UInt64, byteCount: UInt64, blake3: Blake3Digest,
            blob: Blob, patches: [Patch] = [], requires: EngineRequirements = EngineRequirements(),
            meta: JSONObject? = nil
        ) throws(SnpackError) {
            self.kind = kind
            self.path = path
            self.isTree = isTree
            self.fileCount = fileCount
            self.byteCount = byteCount
            self.blake3 = blake3
            self.blob = blob
            self.patches = patches.sorted { $0.from < $1.from }
            self.requires = requires
            self.meta = meta
            _ = try Layer(DocumentField(root: json, malformed: .manifestMalformed))
        }

        init(_ field: DocumentField) throws(SnpackError) {
            kind = try field.required("kind").parsed(LayerKind.init(parsing:))
            path = try field.required("path").parsed(LayerPath.init(parsing:))
            isTree = try field.required("tree").bool()
            fileCount = try field.required("files").integer(isTree ? Limits.files : 1...1)
            byteCount = try field.required("bytes").integer()
            blake3 = try field.required("blake3").digest()
            blob = try Blob(field.required("blob"), of: path, fileCount: fileCount, byteCount: byteCount)
            patches = try Patch.list(field.optional("patches"), to: blake3)
            requires = try EngineRequirements(field.optional("requires"), count: Limits.layerEngines)
            meta = try Self.meta(field.optional("meta"))
        }

        var json: JSONValue {
            var object: JSONObject = [
                "kind": .string(kind.rawValue), "path": .string(path.rawValue), "tree": .bool(isTree),
                "files": .number(JSONNumber(fileCount)), "bytes": .number(JSONNumber(byteCount)),
                "blake3": .string(blake3.hex), "blob": blob.json,
            ]
            object["patches"] = patches.isEmpty ? nil : .array(patches.map(\.json))
            object["requires"] = requires.json
            object["meta"] = meta.map(JSONValue.object)
            return .object(object)
        }
    }
}

extension Manifest.Layer {
    /// Numbers, texts, booleans and arrays of these, 64 KiB in all.
    private static func meta(_ field: DocumentField?) throws(SnpackError) -> JSONObject? {
        guard let field else { return nil }
        for (key, field) in try field.members(0...Int.max) {
            try field.mustBeShowable(key)
            if field.value.arrayValue == nil {
                try checkMetaScalar(field)
            } else {
                for element in try field.elements(0...Int.max) { try checkMetaScalar(element) }
            }
        }
        let byteCount = field.value.canonicalBytes.count
        guard byteCount <= Limits.metaBytes else {
            throw field.fault("\(byteCount) bytes, more than \(Limits.metaBytes)")
        }
        return try field.object()
    }

    private static func checkMetaScalar(_ field: DocumentField) throws(SnpackError) {
        switch field.value {
        case .number, .bool: break
        case .string(let text): try field.mustBeShowable(text)
        case .null, .array, .object:
            throw field.fault("a number, a text, a boolean or an array of them is needed here, not \(field.value.kind)")
        }
    }
}

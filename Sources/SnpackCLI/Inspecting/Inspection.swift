import Blobs
import Diagnostics
import DurableFiles
import MapLayers
import TerritoryModel
import TerritoryPackage

/// Tells what a file or directory is and what is in it. Proves nothing.
struct Inspection {
    private let path: String
    private let context: WorkContext

    init(of path: String, context: WorkContext) {
        self.path = path
        self.context = context
    }

    func result() throws(SnpackError) -> CommandResult {
        guard let identity = FileIdentity.at(path) else {
            throw SnpackError(.sourceNotFound, "there is no such file or directory", path: path)
        }
        return identity.kind == .file ? try file() : try directory()
    }

    private func result(_ kind: String, _ json: JSONObject, _ lines: [String]) -> CommandResult {
        var object = json
        object["path"] = .string(path)
        object["kind"] = .string(kind)
        return CommandResult(object, lines: ["\(path): \(kind)"] + lines)
    }

    // MARK: - Files

    private func file() throws(SnpackError) -> CommandResult {
        let file = try OpenFile(reading: path)
        let start = try file.bytes(at: 0, count: Int(min(file.byteCount, 64)))
        if path.hasSuffix(".snpkg") || start.starts(with: "manifest.json\0".utf8) {
            let archive = try PackageArchive(file)
            return try package("snpkg", archive.manifestBytes, isSigned: true)
        }
        if start.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return try blob(file) }
        if start.first == UInt8(ascii: "{"), let document = try document(file) { return document }
        if start.starts(with: "snpack-secret-key ".utf8) || path.hasSuffix(".pub") || path.hasSuffix(".key") {
            let facts = try KeyFacts(reading: path)
            return result("key", facts.json, facts.lines)
        }
        return try layer()
    }

    /// A manifest or an index; nil for JSON of another kind.
    private func document(_ file: OpenFile) throws(SnpackError) -> CommandResult? {
        guard file.byteCount <= UInt64(Limits.indexBytes) else { return nil }
        let bytes = try file.allBytes(limit: Limits.indexBytes)
        switch try? StrictJSON.parse(bytes).objectValue?["type"]?.stringValue {
        case "channel-index":
            let index = try ChannelIndex(decoding: bytes)
            return result("channel index", IndexText.json(index), IndexText.lines(index))
        case "territory-manifest": return try package("manifest", bytes, isSigned: nil)
        default: return nil
        }
    }

    private func blob(_ file: OpenFile) throws(SnpackError) -> CommandResult {
        let table = try ChunkTable(lastIn: file)
        let content = table.chunks.reduce(UInt64(0)) { $0 + UInt64($1.contentByteCount) }
        return result(
            "blob",
            [
                "bytes": .number(JSONNumber(file.byteCount)), "tar_bytes": .number(JSONNumber(content)),
                "chunks": .number(JSONNumber(Int64(table.chunks.count))),
            ],
            ["  \(table.chunks.count) chunks, \(byteText(file.byteCount)) of \(byteText(content)) unpacked"])
    }

    // MARK: - Directories

    private func directory() throws(SnpackError) -> CommandResult {
        let source: LocalSource
        do throws(SnpackError) { source = try LocalSource(opening: path) } catch  where error.code == .sourceUnknown {
            return try layer()
        }
        switch source {
        case .channel(let channel):
            guard let file = try channel.signedIndex() else {
                throw SnpackError(.sourceUnknown, "a channel without an index", path: path)
            }
            let index = try ChannelIndex(decoding: file.index)
            return result("channel", IndexText.json(index), IndexText.lines(index))
        case .release(let release):
            return try package("release", release.manifestBytes, isSigned: !release.signatureBytes.isEmpty)
        case .archive(let archive): return try package("snpkg", archive.manifestBytes, isSigned: true)
        case .directory(let directory): return try package("package directory", directory.manifestBytes, isSigned: true)
        }
    }

    private func package(_ kind: String, _ bytes: [UInt8], isSigned: Bool?) throws(SnpackError) -> CommandResult {
        let manifest: Manifest
        do throws(SnpackError) { manifest = try Manifest(decoding: bytes) } catch { throw error.at(path) }
        var json = ManifestText.json(manifest)
        json["signed"] = isSigned.map(JSONValue.bool)
        let note = isSigned == false ? ["not signed"] : []
        return result(kind, json, ManifestText.lines(manifest) + note)
    }

    // MARK: - Layers

    /// A layer, or a part of one, by its content.
    private func layer() throws(SnpackError) -> CommandResult {
        var unread = FaultList()
        let tree = try FileTree(listing: path, faults: &unread, cancel: context.cancel)
        guard let found = try LayerInspection.of(DiskLayer(tree), context: context) else {
            throw SnpackError(
                .sourceUnknown, "nothing that snpack knows",
                hint: "it knows layers, blobs, packages, channels and keys",
                path: path)
        }
        var facts = found.facts
        facts.faults.add(contentsOf: unread)
        var text = result(found.what, LayerText.json(found.kind, tree, facts), LayerText.lines(tree, facts))
        text.faults = facts.faults
        text.status = facts.faults.commonStatus
        for warning in facts.warnings { context.report.warn(warning) }
        return text
    }
}

import Diagnostics
import DurableFiles
import TerritoryModel

/// Checks a Tantivy directory: its `meta.json`, and that every file of every segment is there and whole.
struct TantivyCheck {
    /// What a client reads out of a hit.
    private static let requiredFields = ["id", "kind", "name", "lat", "lon"]
    private let source: any LayerSource
    private let context: WorkContext

    init(_ source: any LayerSource, _ context: WorkContext) {
        self.source = source
        self.context = context
    }

    func run(_ facts: inout LayerFacts) throws(SnpackError) {
        guard let metaFile = file(TantivyFiles.meta) else {
            return facts.faults.add(
                SnpackError(
                    .geocodeTantivyMetaMissing, "a Tantivy index without its meta.json cannot be opened",
                    hint: "copy the index again, whole", path: source.files.first.map(source.shownPath)))
        }
        let meta: TantivyMeta
        do throws(SnpackError) {
            meta = try TantivyMeta(decoding: source.open(metaFile).allBytes(limit: TantivyMeta.byteLimit))
        } catch  where error.code == .geocodeTantivyMetaMalformed {
            return facts.faults.add(error.at(source.shownPath(of: metaFile)))
        }
        checkFields(meta, metaFile, &facts.faults)
        try checkManagedList(&facts.faults)
        let footers = try checkFiles(of: meta, metaFile, &facts.faults)
        leaveOutStrays(of: meta, &facts)
        describe(meta, footers, &facts)
    }

    private func file(_ path: String) -> LayerSourceFile? {
        source.files.first { $0.path.utf8.elementsEqual(path.utf8) }
    }

    private func checkFields(_ meta: TantivyMeta, _ metaFile: LayerSourceFile, _ faults: inout FaultList) {
        let missing = Self.requiredFields.filter { !meta.fieldNames.contains($0) }
        if !missing.isEmpty {
            faults.add(
                SnpackError(
                    .geocodeTantivySchema,
                    "the index has no field \(missing.joined(separator: ", ")): clients read it out of every hit",
                    hint: "build the index with the fields of places.ndjson", path: source.shownPath(of: metaFile)))
        }
    }

    /// Tantivy opens no index whose list of managed files it cannot read.
    private func checkManagedList(_ faults: inout FaultList) throws(SnpackError) {
        guard let file = file(TantivyFiles.managed) else { return }
        let list = try source.open(file).allBytes(limit: TantivyMeta.byteLimit)
        let parsed = try? StrictJSON.parse(Array("{\"files\":".utf8) + list + [UInt8(ascii: "}")])
        let names = parsed?.objectValue?["files"]?.arrayValue
        guard let names, names.allSatisfy({ $0.stringValue != nil }) else {
            return faults.add(
                SnpackError(
                    .geocodeTantivyMetaMalformed, "it is not Tantivy's list of files",
                    hint: "copy the index again, whole", path: source.shownPath(of: file)))
        }
    }

    private func checkFiles(
        of meta: TantivyMeta, _ metaFile: LayerSourceFile, _ faults: inout FaultList
    ) throws(SnpackError) -> [TantivyFooter] {
        var footers: [TantivyFooter] = []
        let paths = Dictionary(source.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        for name in meta.segments.flatMap(\.files) {
            try context.cancel.check()
            guard let file = paths[name] else {
                faults.add(
                    SnpackError(
                        .geocodeTantivyFileMissing, "meta.json names \(name), which is not there",
                        hint: "copy the index again after its writer has committed and closed",
                        path: source.shownPath(of: metaFile)))
                continue
            }
            do throws(SnpackError) {
                let bytes = try source.open(file)
                let footer = try TantivyFooter(of: bytes)
                footers.append(footer)
                let checksum = try footer.bodyChecksum(of: bytes, context)
                guard checksum == footer.checksum else {
                    throw SnpackError(
                        .geocodeTantivyChecksum,
                        "its bytes have the checksum \(checksum), its footer says \(footer.checksum)",
                        hint: "the file is damaged: copy or build the index again")
                }
            } catch  where [.geocodeTantivyFooter, .geocodeTantivyChecksum].contains(error.code) {
                faults.add(error.at(source.shownPath(of: file)))
            }
        }
        let formats = Set(footers.map(\.indexFormat)).sorted()
        if formats.count > 1 {
            faults.add(
                SnpackError(
                    .geocodeTantivyMixed,
                    "its files have index formats \(formats.map(String.init).joined(separator: ", "))",
                    hint: "build the index again with one version of Tantivy", path: source.shownPath(of: metaFile)))
        }
        return footers
    }

    /// Locks and whatever no segment owns do not travel.
    private func leaveOutStrays(of meta: TantivyMeta, _ facts: inout LayerFacts) {
        let owned = Set(meta.segments.flatMap(\.files) + [TantivyFiles.meta, TantivyFiles.managed])
        for file in source.files where !owned.contains(file.path) {
            facts.leftOut.append(file.path)
            if TantivyFiles.isLock(file.path) { continue }
            facts.warnings.append(
                SnpackError(
                    .geocodeTantivyStray, "no segment of meta.json owns the file: it is left out",
                    path: source.shownPath(of: file)))
        }
    }

    private func describe(_ meta: TantivyMeta, _ footers: [TantivyFooter], _ facts: inout LayerFacts) {
        facts.meta["form"] = "tantivy"
        facts.meta["documents"] = .number(JSONNumber(meta.documentCount))
        facts.meta["segments"] = .number(JSONNumber(UInt64(meta.segments.count)))
        facts.meta["fields"] = .array(meta.fieldNames.prefix(100).map { .string($0) })
        guard let newest = footers.max(by: { $0.version < $1.version }) else { return }
        facts.meta["version"] = .string(newest.versionText)
        facts.meta["index_format"] = .number(JSONNumber(newest.indexFormat))
        facts.requires.append((engine: "tantivy", version: newest.versionText))
        facts.tables.append(
            FactTable(
                "Segments", columns: ["segment", "documents", "deleted"],
                rows: meta.segments.map { [$0.stem, String($0.documentCount), String($0.deletedCount)] }))
    }
}

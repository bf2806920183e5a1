import Blobs
import Diagnostics
import DurableFiles
import Parallel
import Synchronization
import TerritoryModel
import TerritoryPackage

/// Builds one version of a territory beside the installed ones and gives it its name, whole, by one rename.
struct Installer {
    /// What an install came to.
    struct Outcome: Sendable {
        let slot: SlotName
        var fetched: UInt32 = 0
        var reused: UInt32 = 0
        var patched: UInt32 = 0
    }

    /// Memory is bounded: more layers than this are never in flight.
    private static let layersInFlight = 2
    private static let jobLimit = 8

    let folder: TerritoryFolder
    let manifest: Verified<Manifest>
    let omitted: Set<LayerKind>
    let supply: any PackageSupply
    /// Installed versions whose layers may be linked.
    let present: [InstalledPackage]
    let context: WorkContext

    /// - Throws: whatever is wrong; then nothing is left of it but proven bytes in the cache.
    func run() throws(SnpackError) -> Outcome {
        let document = manifest.document
        try checkSpace()
        let staging = try folder.directory.makeStagingDirectory(mode: 0o700)
        let package = try staging.contents.makeDirectory(StoreName.package)
        let notesDirectory = try staging.contents.makeDirectory(StoreName.layers)
        let builder = LayerBuilder(
            package: package, scratch: staging.contents, supply: supply, present: present)
        let built = try buildLayers(with: builder)
        for (index, layer) in built {
            try layer.notes.write(for: document.layers[index].kind, in: notesDirectory)
        }
        try package.write(manifest.bytes, to: PackageFile.manifest, mode: 0o444)
        try package.write(manifest.signature, to: PackageFile.signature, mode: 0o444)
        try staging.contents.write(InstallRecord(omitted: omitted).encoded, to: StoreName.record, mode: 0o444)
        try context.cancel.check()
        let slot = try folder.freeSlot(for: document.version)
        try staging.contents.setMode(0o755)
        try staging.promote(to: slot.description)
        var outcome = Outcome(slot: slot)
        for (_, layer) in built {
            switch layer.route {
            case .fetched: outcome.fetched += 1
            case .reused: outcome.reused += 1
            case .patched: outcome.patched += 1
            }
        }
        return outcome
    }

    private typealias Built = (route: LayerRoute, notes: LayerNotes)

    private var wanted: [Int] {
        manifest.document.layers.indices.filter { !omitted.contains(manifest.document.layers[$0].kind) }
    }

    private func buildLayers(with builder: LayerBuilder) throws(SnpackError) -> [(Int, Built)] {
        let document = manifest.document
        let inFlight = supply.isLocal ? 1 : Self.layersInFlight
        let single = WorkContext(
            jobs: max(1, min(context.jobs, Self.jobLimit) / inFlight), cancel: context.cancel, report: context.report)
        begin()
        defer { context.report.end() }
        let failure = Latch()
        // Layers of the same bytes share a file in the cache: one after the other, and the second finds it filled.
        let groups = Dictionary(grouping: wanted) { document.layers[$0].blob.blake3 }.values.sorted { $0[0] < $1[0] }
        let results = parallelMap(groups, jobs: inFlight) { [supply] group in
            group.map { index in
                Result { () throws(SnpackError) in
                    if failure.isSet { throw SnpackError(.interrupted, "the install has failed elsewhere") }
                    do throws(SnpackError) {
                        return (index, try builder.build(index, of: document, context: single))
                    } catch {
                        failure.set()
                        supply.halt()
                        throw error
                    }
                }
            }
        }.flatMap(\.self)
        return try Self.all(results, context)
    }

    private static func all(
        _ results: [Result<(Int, Built), SnpackError>], _ context: WorkContext
    ) throws(SnpackError) -> [(Int, Built)] {
        try context.cancel.check()
        let failures = results.compactMap { if case .failure(let error) = $0 { error } else { nil } }
        // Layers that were stopped because another failed have nothing to say.
        if let first = failures.first(where: { $0.code != .interrupted }) ?? failures.first { throw first }
        return try results.map { result throws(SnpackError) in try result.get() }
    }

    private func begin() {
        let layers = wanted.map { manifest.document.layers[$0] }
        let missing = layers.filter { layer in !present.contains { $0.layer(like: layer) != nil } }
        context.report.begin(
            "installing \(manifest.document.name)",
            byteCount: missing.reduce(0) {
                $0 &+ (supply.isLocal ? $1.blob.tarByteCount : supply.wireByteCount(of: $1))
            })
    }

    /// Better told before the first byte is fetched than after the last but one.
    private func checkSpace() throws(SnpackError) {
        guard let free = folder.directory.freeByteCount() else { return }
        var needed: UInt64 = 0
        for index in wanted {
            let layer = manifest.document.layers[index]
            if present.contains(where: { $0.layer(like: layer) != nil }) { continue }
            needed &+= supply.peakByteCount(of: layer) &+ (supply.isLocal ? 0 : supply.wireByteCount(of: layer))
        }
        guard needed <= free else {
            throw SnpackError(
                .diskFull, "\(manifest.document.name) needs \(needed) bytes for a while, and \(free) are free",
                hint: "free some space, or leave layers out with --omit", path: folder.directory.path)
        }
    }
}

/// A flag between threads that is only ever raised.
private final class Latch: Sendable {
    private let flag = Atomic<Bool>(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}

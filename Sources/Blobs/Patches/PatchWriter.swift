package import Diagnostics
package import DurableFiles
import Hashing
import Parallel
package import TerritoryModel

/// Makes the patch that turns an older layer into a new one.
///
/// Two passes over both: the first cuts them into pieces by content and proves the new layer; what to copy and what to
/// compress against what is then planned from the pieces alone; the second pass reads what the plan needs. The bytes do not
/// depend on the number of jobs.
package struct PatchWriter: Sendable {
    /// The zstd level unless one is asked for. Against 3 it gains 8 % on real tiles, and 15 gains no more.
    package static let defaultLevel = 9
    /// What parts in flight hold together.
    private static let flightByteCount = 112 << 20
    private static let copyByteCount: UInt64 = 4 << 20

    private let level: Int

    package init(level: Int = defaultLevel) { self.level = level }

    /// Writes the patch to `file`.
    ///
    /// - Parameters:
    ///   - old: the older layer's stream, its single file named by the new layer's `path`.
    ///   - new: the new layer's stream.
    ///   - layer: the new layer; its ``Manifest/Layer/patches`` don't matter.
    /// - Returns: what the manifest says of the patch; nil if it is not worth having: the layers are equal, or it is not
    ///   at least 20 % smaller than the blob. What is in `file` is then to be discarded.
    /// - Throws: `layer.mismatch` when `new` does not hold `layer`; what reading either throws.
    package func write(
        from old: any TarStream, to new: any TarStream, of layer: Manifest.Layer, into file: StagedFile,
        context: WorkContext
    ) throws(SnpackError) -> Manifest.Patch? {
        let from = try old.provenContent(context: context)
        guard from != layer.blake3 else { return nil }
        let plan = try plan(from: old, to: new, of: layer, context: context)
        let frames = PatchFrames(old: old, new: new, level: level)
        var cursor = PartCursor(plan.parts, copyByteCount: Self.copyByteCount)
        var steps = StepList()
        var hasher = Blake3Hasher()
        // 20 % smaller than the blob.
        let limit = layer.blob.byteCount / 5 * 4
        var isWorthwhile = true
        try orderedPipeline(
            jobs: context.jobs,
            weightLimit: Self.flightByteCount,
            weight: { $0.byteCountInFlight },
            produce: { () throws(SnpackError) -> PatchPlan.Part? in
                try context.cancel.check()
                return isWorthwhile ? cursor.next() : nil
            },
            transform: { part throws(SnpackError) in try frames.steps(for: part) },
            consume: { made throws(SnpackError) in
                for made in made {
                    steps.append(made.step)
                    hasher.update(made.frame)
                    try file.write(made.frame)
                    context.report.advance(UInt64(made.step.newByteCount))
                }
                isWorthwhile = file.byteCount + steps.tableByteCount <= limit
            })
        guard isWorthwhile, Limits.patchSteps.contains(UInt64(steps.steps.count)) else { return nil }
        let table = PatchTable(steps.steps).encoded
        hasher.update(table)
        try file.write(table)
        return try Manifest.Patch(
            from: from, byteCount: file.byteCount, blake3: hasher.finalize(), oldTarByteCount: old.byteCount,
            tableByteCount: UInt64(table.count))
    }

    private func plan(
        from old: any TarStream, to new: any TarStream, of layer: Manifest.Layer, context: WorkContext
    ) throws(SnpackError) -> PatchPlan {
        let average = PieceIndex.averageByteCount(max(old.byteCount, new.byteCount))
        let oldIndexer = PieceIndexer(averageByteCount: average)
        try old.read(into: oldIndexer, context: context)
        let newIndexer = PieceIndexer(averageByteCount: average)
        try new.read(into: LayerProof(of: layer, then: newIndexer), context: context)
        return PatchPlan(old: oldIndexer.index, new: newIndexer.index)
    }
}

extension PatchPlan.Part {
    /// Old bytes, new bytes and the frame.
    fileprivate var byteCountInFlight: Int {
        switch source {
        case .copy: 2 * new.count
        case .frame(let window, _, _): 2 * new.count + (window?.count ?? 0)
        }
    }
}

/// Walks the parts of a plan; long copies come in pieces.
private struct PartCursor {
    private let parts: [PatchPlan.Part]
    private let copyByteCount: UInt64
    private var index = 0
    private var copied: UInt64 = 0

    init(_ parts: [PatchPlan.Part], copyByteCount: UInt64) {
        self.parts = parts
        self.copyByteCount = copyByteCount
    }

    mutating func next() -> PatchPlan.Part? {
        guard index < parts.count else { return nil }
        let part = parts[index]
        guard case .copy(let oldOffset) = part.source else {
            index += 1
            return part
        }
        let start = part.new.lowerBound + copied
        let end = min(part.new.upperBound, start + copyByteCount)
        let piece = PatchPlan.Part(new: start..<end, source: .copy(oldOffset: oldOffset + copied))
        copied += end - start
        if end == part.new.upperBound {
            copied = 0
            index += 1
        }
        return piece
    }
}

/// The steps so far; a copy that goes on where the one before it ended becomes one with it.
private struct StepList {
    private(set) var steps: [PatchTable.Step] = []

    var tableByteCount: UInt64 { Limits.patchTableHeadBytes + Limits.patchStepBytes * UInt64(steps.count) }

    mutating func append(_ step: PatchTable.Step) {
        if case .copy(let oldOffset, let count) = step, case .copy(let start, let before)? = steps.last,
            start + UInt64(before) == oldOffset, let sum = UInt32(exactly: UInt64(before) + UInt64(count))
        {
            steps[steps.count - 1] = .copy(oldOffset: start, byteCount: sum)
        } else {
            steps.append(step)
        }
    }
}

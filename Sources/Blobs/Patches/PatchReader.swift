import Compression
package import Diagnostics
package import DurableFiles
import Hashing
import Parallel
package import TerritoryModel

/// Makes a layer from an older one and a signed patch.
///
/// Nothing is used before it is proven: the patch by its signed BLAKE3, the older layer by the patch's `from`, each step
/// by the limits; and what comes out by the layer's own BLAKE3.
package struct PatchReader: Sendable {
    /// What the steps in flight hold together: old bytes, frames and new bytes. The largest step holds 48 MiB.
    private static let flightByteCount = 128 << 20
    private static let copyByteCount: UInt64 = 2 << 20

    private let file: any RandomAccess
    private let patch: Manifest.Patch
    private let layer: Manifest.Layer
    private let decompressors = ResourcePool { () throws(SnpackError) in try ZstdDecompressor() }

    /// - Parameters:
    ///   - file: the patch.
    ///   - patch: what the manifest says of it.
    ///   - layer: the layer that it makes.
    package init(_ file: any RandomAccess, patch: Manifest.Patch, of layer: Manifest.Layer) {
        self.file = file
        self.patch = patch
        self.layer = layer
    }

    /// Throws `patch.mismatch` unless the file has the signed size.
    package func checkSize() throws(SnpackError) {
        guard file.byteCount == patch.byteCount else {
            throw mismatch("\(file.byteCount) bytes, not the \(patch.byteCount) signed")
        }
    }

    /// Throws `patch.mismatch` unless the file is the signed one.
    package func prove(cancel: CancelToken = CancelToken()) throws(SnpackError) {
        try checkSize()
        guard try Blake3Digest.of(file, cancel: cancel) == patch.blake3 else {
            throw mismatch("it does not have the signed BLAKE3")
        }
    }

    private func mismatch(_ reason: String) -> SnpackError {
        SnpackError(.patchMismatch, reason, hint: "fetch it again, or build the release again", path: file.name)
    }

    /// The steps, every one within the limits. The file must be proven.
    package func table() throws(SnpackError) -> PatchTable {
        guard let count = Int(exactly: patch.tableByteCount), patch.tableByteCount <= file.byteCount else {
            throw SnpackError(.patchTableInvalid, "step frame: larger than the patch", path: file.name)
        }
        let bytes = try file.bytes(at: file.byteCount - patch.tableByteCount, count: count)
        do throws(SnpackError) {
            return try PatchTable(decoding: bytes, of: patch, tarByteCount: layer.blob.tarByteCount)
        } catch { throw error.at(file.name) }
    }

    /// Proves the patch and `old`, applies one to the other, proves the result and hands the files to `sink`.
    ///
    /// - Parameter old: the stream of the layer that is installed, its single file named by ``layer``'s path.
    /// - Throws: `patch.mismatch`, `patch.table-invalid`, `patch.frame-invalid`: the patch is not the signed one, or the
    ///   signed one is bad; `patch.old-layer-changed`: `old` is not the layer that the patch starts from; `layer.mismatch`
    ///   or `tar.not-canonical`: what comes out is not the signed layer. After any of them the blob is the way.
    package func read(
        from old: any TarStream, into sink: (any LayerSink)? = nil, context: WorkContext
    ) throws(SnpackError) {
        try prove(cancel: context.cancel)
        let table = try table()
        try prove(old, context: context)
        var steps = StepCursor(table, pieceByteCount: Self.copyByteCount)
        var tar = CanonicalTarReader(sink: LayerProof(of: layer, then: sink))
        do throws(SnpackError) {
            try orderedPipeline(
                jobs: context.jobs,
                weightLimit: Self.flightByteCount,
                weight: { $0.byteCountInFlight },
                produce: { () throws(SnpackError) -> StepCursor.Work? in
                    try context.cancel.check()
                    return steps.next()
                },
                transform: { work throws(SnpackError) -> [UInt8] in try content(of: work, from: old) },
                consume: { bytes throws(SnpackError) in
                    try bytes.withBytes { bytes throws(SnpackError) in try tar.read(bytes) }
                    context.report.advance(UInt64(bytes.count))
                })
            try tar.finish()
        } catch { throw error.at(file.name) }
    }

    /// Sizes first: an older layer of another size is not digested.
    private func prove(_ old: any TarStream, context: WorkContext) throws(SnpackError) {
        guard old.byteCount == patch.oldTarByteCount,
            try old.provenContent(context: context) == patch.from
        else {
            throw SnpackError(
                .patchOldLayerChanged, "it is not the layer \(patch.from.shortHex) that the patch starts from",
                hint: "fetch the whole layer", path: old.name)
        }
    }

    private func content(of work: StepCursor.Work, from old: any TarStream) throws(SnpackError) -> [UInt8] {
        func decompressed(prefix: UnsafeRawBufferPointer?) throws(SnpackError) -> [UInt8] {
            let frame = try file.bytes(at: work.frameOffset, count: Int(work.step.frameByteCount))
            do throws(SnpackError) {
                return try decompressors.with { decompressor throws(SnpackError) in
                    try frame.withBytes { bytes throws(SnpackError) in
                        try decompressor.content(
                            of: bytes, byteCount: Int(work.step.newByteCount), prefix: prefix,
                            windowLimit: Limits.patchWindowBytes)
                    }
                }
            } catch { throw error.recoded(.patchFrameInvalid, prefix: "step \(work.index): ") }
        }
        switch work.step {
        case .copy(let offset, let count): return try old.bytes(at: offset, count: Int(count))
        case .plain: return try decompressed(prefix: nil)
        case .patch(_, let offset, let count, _):
            return try old.bytes(at: offset, count: Int(count)).withBytes { prefix throws(SnpackError) in
                try decompressed(prefix: prefix)
            }
        }
    }
}

/// Walks the steps of a patch; long copies come in pieces.
struct StepCursor {
    struct Work: Sendable {
        let index: Int
        let step: PatchTable.Step
        let frameOffset: UInt64

        var byteCountInFlight: Int {
            switch step {
            case .copy(_, let count): Int(count)
            case .plain(let frame, let count): Int(frame) + Int(count)
            case .patch(let frame, _, let old, let count): Int(frame) + Int(old) + Int(count)
            }
        }
    }

    private let table: PatchTable
    private let pieceByteCount: UInt64
    private var index = 0
    private var copied: UInt64 = 0
    private var frameOffset: UInt64 = 0

    init(_ table: PatchTable, pieceByteCount: UInt64) {
        self.table = table
        self.pieceByteCount = pieceByteCount
    }

    mutating func next() -> Work? {
        guard index < table.steps.count else { return nil }
        let step = table.steps[index]
        if case .copy(let offset, let count) = step {
            let piece = min(pieceByteCount, UInt64(count) - copied)
            let work = Work(
                index: index, step: .copy(oldOffset: offset + copied, byteCount: UInt32(piece)),
                frameOffset: frameOffset)
            copied += piece
            if copied == UInt64(count) {
                copied = 0
                index += 1
            }
            return work
        }
        defer {
            frameOffset += UInt64(step.frameByteCount)
            index += 1
        }
        return Work(index: index, step: step, frameOffset: frameOffset)
    }
}

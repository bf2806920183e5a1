import TerritoryModel

/// How a patch will make the new stream, decided from the two indexes alone, before any byte is read again.
struct PatchPlan: Sendable {
    /// A stretch of the new stream.
    struct Part: Hashable, Sendable {
        let new: Range<UInt64>
        let source: Source
    }

    enum Source: Hashable, Sendable {
        /// Equal to the old bytes from here on, as far as hashes tell.
        case copy(oldOffset: UInt64)
        /// To be compressed against `window`, if there is one. A copy before it ended at the old offset `before`, and
        /// one behind it begins at `after`: they can be drawn out over what is equal.
        case frame(window: Range<UInt64>?, before: UInt64?, after: UInt64?)
    }

    /// A shorter run is left to the compressor, which finds it in the window for less than a step.
    private static let leastCopyByteCount: UInt64 = 64 << 10
    /// Small files next to each other share a frame up to this size.
    private static let groupByteCount: UInt64 = 256 << 10
    /// Steps to stay under, with room for what the writer adds.
    private static let partLimit = Int(Limits.patchSteps.upperBound) / 2

    /// In the order of the new stream, without gaps.
    let parts: [Part]

    init(old: PieceIndex, new: PieceIndex) {
        let byPath = FilePairing.byPath(old: old, new: new)
        let runs = RunFinder(old: old, new: new).runs(bases: byPath)
        let bases = FilePairing.completed(byPath, old: old, new: new, runs: runs)
        var scale: UInt64 = 1
        while true {
            let parts = Self.parts(old: old, new: new, runs: runs, bases: bases, scale: scale)
            if parts.count <= Self.partLimit || scale > 1 << 12 {
                self.parts = parts
                return
            }
            scale *= 2
        }
    }

    private static func parts(
        old: PieceIndex, new: PieceIndex, runs: [EqualRun], bases: [Int?], scale: UInt64
    ) -> [Part] {
        let copies = runs.filter { $0.count >= leastCopyByteCount * scale }
        let windows = WindowFinder(old: old, new: new, runs: runs, bases: bases)
        var parts: [Part] = []
        func close(_ gap: Gap) {
            guard !gap.new.isEmpty else { return }
            parts += gap.segments(new: new, windows: windows, groupByteCount: groupByteCount * scale)
        }
        var done: UInt64 = 0
        var before: UInt64?
        for copy in copies {
            close(Gap(new: done..<copy.new.lowerBound, before: before, after: copy.oldOffset))
            parts.append(Part(new: copy.new, source: .copy(oldOffset: copy.oldOffset)))
            done = copy.new.upperBound
            before = copy.oldEnd
        }
        close(Gap(new: done..<new.byteCount, before: before, after: nil))
        return parts
    }
}

/// What lies between two copies.
struct Gap {
    let new: Range<UInt64>
    /// Where in the old stream the copy before it ends, and where the one behind it begins.
    let before: UInt64?
    let after: UInt64?

    /// Cuts the gap at files, and long files into even segments.
    func segments(new index: PieceIndex, windows: WindowFinder, groupByteCount: UInt64) -> [PatchPlan.Part] {
        var segments: [(new: Range<UInt64>, window: Range<UInt64>?)] = []
        let between = windows.between(self)
        var file = index.file(at: new.lowerBound)
        var start = new.lowerBound
        while start < new.upperBound {
            let isLast = file + 1 >= index.files.count
            let end = isLast ? new.upperBound : min(new.upperBound, index.files[file].range.upperBound)
            let pieces = (end - start + Limits.patchNewBytes - 1) / Limits.patchNewBytes
            for piece in 0..<pieces {
                let bounds = (0...1).map { start + (end - start) * (piece + $0) / pieces }
                let part = bounds[0]..<bounds[1]
                let window = windows.window(for: part, of: file, between: between)
                if let last = segments.last,
                    let joined = windows.joined(last, (part, window), limit: groupByteCount)
                {
                    segments[segments.count - 1] = joined
                } else {
                    segments.append((part, window))
                }
            }
            start = end
            file += 1
        }
        return segments.enumerated().map { place, segment in
            if let oldOffset = windows.oldOffset(ofAll: segment.new) {
                return PatchPlan.Part(new: segment.new, source: .copy(oldOffset: oldOffset))
            }
            return PatchPlan.Part(
                new: segment.new,
                source: .frame(
                    window: segment.window, before: place == 0 ? before : nil,
                    after: place == segments.count - 1 ? after : nil))
        }
    }
}

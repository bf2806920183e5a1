import TerritoryModel

/// Finds for a stretch of the new stream the old bytes that it resembles most.
struct WindowFinder {
    private static let limit = Limits.patchOldBytes.upperBound
    /// Added on both sides, since what is equal seldom begins where the hashes say.
    private static let margin: UInt64 = 16 << 10
    /// Of an old file larger than this only the stretch that corresponds is looked at.
    private static let wholeFileByteCount: UInt64 = 8 << 20

    let old: PieceIndex
    let new: PieceIndex
    let runs: [EqualRun]
    let bases: [Int?]

    /// The old bytes between the ends of the copies around a gap, if they can be what the gap was made of.
    func between(_ gap: Gap) -> Range<UInt64>? {
        let (start, end) = (gap.before ?? 0, gap.after ?? old.byteCount)
        let isInOneFile = new.file(at: gap.new.lowerBound) == new.file(at: gap.new.upperBound - 1)
        // Files that follow each other are better looked at one by one.
        let limit = isInOneFile ? min(Self.wholeFileByteCount, 4 * UInt64(gap.new.count) + (1 << 20)) : 256 << 10
        guard gap.before != nil || gap.after != nil, start <= end, end - start <= limit else { return nil }
        return widened(start..<end, by: Self.margin)
    }

    /// - Parameters:
    ///   - file: the new file that `part` lies in.
    ///   - between: what lies between the neighbouring copies.
    func window(for part: Range<UInt64>, of file: Int, between: Range<UInt64>?) -> Range<UInt64>? {
        let base = bases[file].map { old.files[$0].range }
        let likely = between ?? base.flatMap { UInt64($0.count) <= Self.wholeFileByteCount ? $0 : nil }
        let shared = windowOfRuns(in: part, outside: likely)
        if let likely { return joined(likely, shared) ?? likely }
        return shared ?? base.map { corresponding(part, of: new.files[file].range, in: $0) }
    }

    /// The stretch of a large old file at the same share of its length.
    private func corresponding(
        _ part: Range<UInt64>, of file: Range<UInt64>, in base: Range<UInt64>
    ) -> Range<UInt64> {
        let share = Double(part.lowerBound - min(part.lowerBound, file.lowerBound)) / Double(max(1, file.count))
        let start = base.lowerBound + UInt64(share * Double(base.count))
        let around = widened(start..<start + UInt64(part.count), by: Self.wholeFileByteCount)
        return around.clamped(to: base)
    }

    /// The old bytes around what `part` shares with the old stream: where that is far apart, the densest stretch.
    /// - Parameter known: a window that there is already; what lies outside of it must be worth looking at.
    private func windowOfRuns(in part: Range<UInt64>, outside known: Range<UInt64>?) -> Range<UInt64>? {
        struct Place {
            let old: Range<UInt64>
            let weight: UInt64
        }
        var places: [Place] = []
        var index = firstRun(endingAfter: part.lowerBound)
        while index < runs.count, runs[index].new.lowerBound < part.upperBound {
            let run = runs[index]
            index += 1
            let shared = run.new.clamped(to: part)
            let start = run.oldOffset + (shared.lowerBound - run.new.lowerBound)
            // As long as the part, so placed that the run meets its counterpart.
            let lead = shared.lowerBound - part.lowerBound
            let tail = part.upperBound - shared.upperBound
            let end = start + UInt64(shared.count)
            if let known, known.lowerBound <= start, end <= known.upperBound { continue }
            places.append(
                Place(
                    old: (start - min(start, lead))..<min(old.byteCount, end + tail), weight: UInt64(shared.count)))
        }
        let least = known == nil ? 1 : part.count / 8
        guard places.reduce(0, { $0 + $1.weight }) >= least else { return nil }
        places.sort { ($0.old.lowerBound, $0.old.upperBound) < ($1.old.lowerBound, $1.old.upperBound) }
        let limit = min(Self.limit - 2 * Self.margin, 3 * UInt64(part.count) + (1 << 20))
        var best: (weight: UInt64, range: Range<UInt64>)?
        var (first, weight) = (0, UInt64(0))
        for place in places {
            weight += place.weight
            while place.old.upperBound > places[first].old.lowerBound + limit, places[first].old != place.old {
                weight -= places[first].weight
                first += 1
            }
            if best.map({ weight > $0.weight }) ?? true {
                let start = places[first].old.lowerBound
                best = (weight, start..<min(max(place.old.upperBound, start + 1), start + limit))
            }
        }
        return best.flatMap { $0.weight >= least ? widened($0.range, by: Self.margin) : nil }
    }

    private func firstRun(endingAfter offset: UInt64) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].new.upperBound <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Where all of `part` stands in the old stream in one run.
    func oldOffset(ofAll part: Range<UInt64>) -> UInt64? {
        let index = firstRun(endingAfter: part.lowerBound)
        guard index < runs.count, runs[index].new.lowerBound <= part.lowerBound,
            runs[index].new.upperBound >= part.upperBound
        else { return nil }
        return runs[index].oldOffset + (part.lowerBound - runs[index].new.lowerBound)
    }

    /// One stretch and one window for two small neighbours, unless their windows are far apart.
    func joined(
        _ left: (new: Range<UInt64>, window: Range<UInt64>?), _ right: (new: Range<UInt64>, window: Range<UInt64>?),
        limit: UInt64
    ) -> (new: Range<UInt64>, window: Range<UInt64>?)? {
        let new = left.new.lowerBound..<right.new.upperBound
        guard UInt64(new.count) <= min(limit, Limits.patchNewBytes) else { return nil }
        guard let leftWindow = left.window, let rightWindow = right.window else {
            return left.window == nil && right.window == nil ? (new, nil) : nil
        }
        guard let window = joined(leftWindow, rightWindow), UInt64(window.count) <= 4 * UInt64(new.count) + (1 << 20)
        else { return nil }
        return (new, window)
    }

    /// The hull of both, if it is no larger than a window may be.
    private func joined(_ left: Range<UInt64>, _ right: Range<UInt64>?) -> Range<UInt64>? {
        guard let right else { return left }
        let hull = min(left.lowerBound, right.lowerBound)..<max(left.upperBound, right.upperBound)
        return UInt64(hull.count) <= Self.limit ? hull : nil
    }

    private func widened(_ range: Range<UInt64>, by margin: UInt64) -> Range<UInt64> {
        let start = range.lowerBound - min(range.lowerBound, margin)
        return min(start, old.byteCount)..<min(old.byteCount, range.upperBound + margin)
    }
}

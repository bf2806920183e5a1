/// A stretch of the new stream that stands in the old one too, as far as hashes tell.
struct EqualRun: Hashable, Sendable {
    let new: Range<UInt64>
    let oldOffset: UInt64

    var count: UInt64 { new.upperBound - new.lowerBound }
    var oldEnd: UInt64 { oldOffset + count }
}

/// Finds the runs of pieces that two streams share, walking the new one from front to back.
///
/// Where a piece stands several times in the old stream, the place nearest to the expected one is taken: the file of the
/// same name first, else where the last run leads.
struct RunFinder {
    /// Places looked at for a piece that stands many times.
    private static let candidateLimit = 32

    private let old: PieceIndex
    private let new: PieceIndex
    /// Hash table of the old pieces, chained in ascending order; 0 ends a chain.
    private var heads: [UInt32]
    private var next: [UInt32]
    private let mask: UInt64

    init(old: PieceIndex, new: PieceIndex) {
        self.old = old
        self.new = new
        let size = max(16, old.pieceCount.nextPowerOfTwo)
        mask = UInt64(size - 1)
        heads = [UInt32](repeating: 0, count: size)
        next = [UInt32](repeating: 0, count: old.pieceCount + 1)
        for piece in stride(from: old.pieceCount - 1, through: 0, by: -1) {
            let slot = Int(old.hashes[piece] & mask)
            next[piece + 1] = heads[slot]
            heads[slot] = UInt32(piece + 1)
        }
    }

    /// - Parameter bases: for each new file the old file that it comes from, if one is known.
    func runs(bases: [Int?]) -> [EqualRun] {
        var runs: [EqualRun] = []
        var piece = 0
        var file = -1
        // What to add to a new offset to come to the old one expected.
        var shift: Int64 = 0
        while piece < new.pieceCount {
            let start = new.starts[piece]
            while file + 1 < new.files.count, new.files[file + 1].range.lowerBound <= start {
                file += 1
                if let base = bases[file] {
                    shift =
                        Int64(clamping: old.files[base].range.lowerBound)
                        - Int64(clamping: new.files[file].range.lowerBound)
                }
            }
            guard var match = match(piece, expecting: Int64(clamping: start) + shift) else {
                piece += 1
                continue
            }
            let oldOffset = old.starts[match]
            while piece < new.pieceCount, match < old.pieceCount, isEqual(piece, match) {
                piece += 1
                match += 1
            }
            runs.append(EqualRun(new: start..<new.starts[piece], oldOffset: oldOffset))
            shift = Int64(clamping: oldOffset) - Int64(clamping: start)
        }
        return runs
    }

    private func isEqual(_ newPiece: Int, _ oldPiece: Int) -> Bool {
        new.hashes[newPiece] == old.hashes[oldPiece]
            && new.range(newPiece).count == old.range(oldPiece).count
    }

    private func match(_ piece: Int, expecting offset: Int64) -> Int? {
        if let place = UInt64(exactly: offset), place < old.byteCount {
            let expected = old.starts.lastIndex(notAbove: place)
            if expected < old.pieceCount, old.starts[expected] == place, isEqual(piece, expected) { return expected }
        }
        var best: (piece: Int, distance: UInt64)?
        var candidate = Int(heads[Int(new.hashes[piece] & mask)])
        var left = Self.candidateLimit
        while candidate > 0, left > 0 {
            let oldPiece = candidate - 1
            candidate = Int(next[candidate])
            guard isEqual(piece, oldPiece) else { continue }
            left -= 1
            let distance = (Int64(clamping: old.starts[oldPiece]) - offset).magnitude
            if best.map({ distance < $0.distance }) ?? true { best = (oldPiece, distance) }
        }
        return best?.piece
    }
}

extension Int {
    /// The least power of 2 that is not less.
    fileprivate var nextPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}

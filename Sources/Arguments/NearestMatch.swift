/// The candidate that `word` was most likely meant to be, or nil if none is near.
///
/// A word that begins exactly one candidate means that one; else the fewest slips (a letter too many, missing, wrong, or
/// two swapped) win, as long as they are few for the word's length.
func nearest(to word: String, among candidates: [String]) -> String? {
    guard (1...64).contains(word.unicodeScalars.count) else { return nil }
    let begun = candidates.filter { $0.utf8.count > word.utf8.count && $0.utf8.starts(with: word.utf8) }
    if begun.count == 1, word.utf8.count >= 2 { return begun.first }

    var best: (candidate: String, slips: Int)?
    for candidate in candidates {
        let slips = slipCount(Array(word.unicodeScalars), Array(candidate.unicodeScalars))
        let tolerated = candidate.utf8.count <= 3 ? 1 : candidate.utf8.count <= 8 ? 2 : 3
        if slips <= tolerated, slips < best?.slips ?? .max { best = (candidate, slips) }
    }
    return best?.candidate
}

/// The optimal string alignment distance.
private func slipCount(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, scalar) in left.enumerated() {
        var current = [row + 1]
        for (column, other) in right.enumerated() {
            var slips = min(last[column] + (scalar == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, scalar == right[column - 1], left[row - 1] == other {
                slips = min(slips, beforeLast[column - 1] + 1)
            }
            current.append(slips)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}

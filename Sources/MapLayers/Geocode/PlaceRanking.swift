/// Orders hits: how the name fits the text first, then how near and how prominent the place is.
struct PlaceRanking {
    /// How well a name fits, best last.
    enum Fit: Int, Comparable {
        /// Found by some of the words, or by its address.
        case other
        /// The name has all words.
        case words
        /// The name begins with the text.
        case begins
        /// The text has the whole name, and words of the address.
        case complete
        /// The name is the text.
        case exact

        static func < (left: Fit, right: Fit) -> Bool { left.rawValue < right.rawValue }
    }

    let query: PlaceQuery
    let near: PlacePosition?
    /// Places in it come before others of the same fit.
    let preferred: PlaceBox?

    /// One hit.
    struct Hit {
        let number: Int64
        let fit: Fit
        let score: Double
        let distance: Double?
    }

    func hit(
        _ number: Int64, kind: PlaceKind, name: String, importance: Double, position: PlacePosition
    ) -> Hit {
        let distance = near.map { $0.distance(to: position) }
        var score = PlaceSchema.prominence(kind, importance: importance)
        // A place at the point outweighs any prominence; at 10 km a fifth of that is left.
        if let distance { score += 2 / (1 + distance / 2_500) }
        if preferred?.contains(position) == true { score += 2 }
        let words = PlaceWords.words(of: name)
        let whole = PlaceWords.whole(words)
        // Between equals, the name with less left to type.
        score += 0.1 * min(1, Double(query.whole.utf8.count) / Double(max(1, whole.utf8.count)))
        return Hit(number: number, fit: fit(of: words, whole), score: score, distance: distance)
    }

    func fit(of name: String) -> Fit {
        let words = PlaceWords.words(of: name)
        return fit(of: words, PlaceWords.whole(words))
    }

    private func fit(of words: [String], _ whole: String) -> Fit {
        if whole == query.whole { return .exact }
        let all = PlaceWords.withJoinedNumbers(words)
        if query.words.count > words.count && words.allSatisfy({ query.words.contains($0) }) { return .complete }
        if whole.utf8.starts(with: query.whole.utf8) { return .begins }
        let isInName = query.words.indices.allSatisfy { index in
            let word = query.words[index]
            return index == query.words.count - 1
                ? all.contains { $0.utf8.starts(with: word.utf8) } : all.contains(word)
        }
        return isInName ? .words : .other
    }

    /// Best first.
    static func precedes(_ left: Hit, _ right: Hit) -> Bool {
        if left.fit != right.fit { return left.fit > right.fit }
        if left.score != right.score { return left.score > right.score }
        return left.number < right.number
    }
}

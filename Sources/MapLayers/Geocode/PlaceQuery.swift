/// What a person typed, as words and as questions to the text index.
///
/// Nothing of the text reaches FTS5's query language but words of letters and digits in quotes.
struct PlaceQuery {
    /// More words than any address has: the rest of a pasted page is left out.
    static let wordLimit = 12

    /// The words; the last may be unfinished.
    let words: [String]
    /// The text in one word, as ``PlaceTerms/whole``.
    let whole: String

    init(_ text: String) {
        // The first characters hold more words than are looked at.
        words = PlaceWords.words(of: text.unicodeScalars.prefix(1_024).text, isOpen: true, limit: Self.wordLimit)
        whole = PlaceWords.whole(words)
    }

    var isEmpty: Bool { words.isEmpty }

    /// A last word of one letter: it matches so much that the index is not asked for it.
    var endsInOneLetter: Bool { words.last?.unicodeScalars.count == 1 }

    // MARK: Expressions

    /// Names that are the text.
    var isWhole: String { "whole : \(Self.quoted(whole))" }

    /// Names that begin with the text.
    var beginsWhole: String { "whole : \(Self.quoted(whole)) *" }

    /// Places with all words, the last one only begun where that is selective enough.
    var hasWords: String { "words : (\(conjunction(of: words, begun: [words.count - 1])))" }

    /// Places with all words, each only begun.
    var hasBegunWords: String { "words : (\(conjunction(of: words, begun: Array(words.indices))))" }

    /// Places with all words but the last; nil if there are none.
    var hasFinishedWords: String? {
        words.count < 2 ? nil : "words : (\(conjunction(of: Array(words.dropLast()), begun: [])))"
    }

    /// Places with all words but one; nil for a single word.
    var hasAllButOneWord: String? {
        guard words.count > 1 else { return nil }
        let choices = words.indices.map { left in
            var rest = words
            rest.remove(at: left)
            return "(\(conjunction(of: rest, begun: left == words.count - 1 ? [] : [rest.count - 1])))"
        }
        return "words : (\(choices.joined(separator: " OR ")))"
    }

    /// Places with any of the words.
    var hasAnyWord: String { "words : (\(words.map(Self.quoted).joined(separator: " OR ")))" }

    private func conjunction(of words: [String], begun: [Int]) -> String {
        var parts: [String] = []
        var index = 0
        while index < words.count {
            if index + 1 < words.count, PlaceWords.isSplitNumber(words[index], words[index + 1]) {
                let (number, letter) = (words[index], words[index + 1])
                parts.append("(\(Self.quoted(number + letter)) OR (\(Self.quoted(number)) AND \(Self.quoted(letter))))")
                index += 2
                continue
            }
            let isBegun = begun.contains(index) && words[index].unicodeScalars.count > 1
            parts.append(Self.quoted(words[index]) + (isBegun ? " *" : ""))
            index += 1
        }
        return parts.joined(separator: " AND ")
    }

    private static func quoted(_ word: String) -> String { "\"\(word)\"" }
}

extension Substring.UnicodeScalarView {
    fileprivate var text: String { String(String.UnicodeScalarView(self)) }
}

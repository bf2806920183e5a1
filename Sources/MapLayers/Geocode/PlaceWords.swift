import TerritoryModel

/// Text as search compares it: words in lowercase without diacritics, `ß` as `ss`, `str.` as `strasse`.
///
/// Index and query are split by this alone; what SQLite's tokenizer does with the words changes nothing that matters.
enum PlaceWords {
    /// Longer words are cut, so that no text makes a term that SQLite does not index.
    static let wordLimit = 64

    /// The words of `text`, in order.
    /// - Parameter isOpen: true when the last word may still be being typed, so that `landstr` is left as it is.
    static func words(of text: some StringProtocol, isOpen: Bool = false, limit: Int = 64) -> [String] {
        var words: [String] = []
        var word = ""
        var length = 0
        func end(withDot: Bool, isLast: Bool) {
            guard length > 0 else { return }
            if word.hasSuffix("str"), withDot || !(isLast && isOpen) { word += "asse" }
            words.append(word)
            word = ""
            length = 0
        }
        for scalar in folded(text).unicodeScalars {
            if isWordScalar(scalar) {
                guard length < wordLimit else { continue }
                length += 1
                if scalar.isASCII {
                    word.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) | 0x20))
                } else {
                    word += lowercase(of: scalar)
                }
            } else if !isDiacritic(scalar) {
                end(withDot: scalar == ".", isLast: false)
                if words.count >= limit { return words }
            }
        }
        end(withDot: false, isLast: true)
        return words
    }

    /// The words in one piece: `Landstrasse 97` and `Land Strasse 97` are one name.
    static func whole(_ words: [String]) -> String {
        String(String.UnicodeScalarView(words.joined().unicodeScalars.prefix(wordLimit)))
    }

    /// True for `97` followed by `a`: a house number that some write in one piece.
    static func isSplitNumber(_ number: String, _ letter: String) -> Bool {
        number.utf8.allSatisfy { (0x30...0x39).contains($0) } && letter.utf8.count == 1
            && letter.utf8.allSatisfy { (0x61...0x7A).contains($0) }
    }

    /// The words, and the house numbers among them in one piece.
    static func withJoinedNumbers(_ words: [String]) -> [String] {
        words + zip(words, words.dropFirst()).filter { isSplitNumber($0, $1) }.map { $0 + $1 }
    }

    // MARK: Scalars

    private static func folded(_ text: some StringProtocol) -> String {
        text.utf8.allSatisfy({ $0 < 0x80 }) ? String(text) : String(text).nfd
    }

    /// Combining Diacritical Marks: dropped, within a word as between words.
    private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool { (0x300...0x36F).contains(scalar.value) }

    private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: return true
        case 0..<0x80: return false
        default:
            if isDiacritic(scalar) { return false }
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
                .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
                return true
            default: return false
            }
        }
    }

    /// Letters that no decomposition takes apart, as people type them on other keyboards.
    private static func lowercase(of scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        case 0xDF, 0x1E9E: "ss"
        case 0xC6, 0xE6: "ae"
        case 0x152, 0x153: "oe"
        case 0xD8, 0xF8: "o"
        case 0xD0, 0xF0, 0x110, 0x111: "d"
        case 0x141, 0x142: "l"
        case 0x131: "i"
        case 0xDE, 0xFE: "th"
        default: scalar.properties.lowercaseMapping
        }
    }
}

/// What a place is found by.
struct PlaceTerms {
    /// The whole name as one word.
    let whole: String
    /// Every word of the name and the address, each once.
    let words: String
    /// The cells it lies in.
    let cells: String

    init(_ document: PlaceDocument) {
        let name = PlaceWords.words(of: document.name)
        whole = PlaceWords.whole(name)
        var words: [String] = []
        var seen: Set<String> = []
        func add(_ more: [String]) {
            for word in PlaceWords.withJoinedNumbers(more) where seen.insert(word).inserted { words.append(word) }
        }
        add(name)
        for text in [document.street, document.housenumber, document.locality, document.postcode, document.region] {
            if let text { add(PlaceWords.words(of: text)) }
        }
        self.words = words.joined(separator: " ")
        cells = [PlaceGrid.near, .region].map { $0.word($0.number(document.position)) }.joined(separator: " ")
    }
}

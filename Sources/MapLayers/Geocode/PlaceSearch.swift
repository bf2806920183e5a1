import Diagnostics
import TerritoryModel

/// One search: asks the text index from the best fit to the loosest, from the neighbourhood outwards, and ranks the hits.
///
/// Rows are sorted by prominence, so a bounded number of hits of each question holds the ones worth ranking.
struct PlaceSearch {
    private let query: PlaceQuery
    private let near: PlacePosition?
    private let limit: Int
    private let bounds: PlaceBox?
    private let preferred: PlaceBox?

    init(query: PlaceQuery, near: PlacePosition?, area: PlaceIndex.Area?, limit: Int) {
        self.query = query
        self.near = near
        self.limit = limit
        switch area {
        case .preferred(let box)?: (preferred, bounds) = (PlaceBox(box), nil)
        case .bounds(let box)?: (preferred, bounds) = (nil, PlaceBox(box))
        case nil: (preferred, bounds) = (nil, nil)
        }
    }

    /// Where a question is asked.
    private struct Scope {
        /// FTS5's words for the cells; nil for everywhere.
        var cells: [String]?
        var box: PlaceBox?

        func narrowing(_ expression: String) -> String {
            guard let cells else { return expression }
            return "(\(expression)) AND cells : (\(cells.map { "\"\($0)\"" }.joined(separator: " OR ")))"
        }
    }

    func run(on tables: PlaceTables) throws(SnpackError) -> [Place] {
        guard !query.isEmpty, limit > 0 else { return [] }
        let hits = try hits(in: tables).sorted(by: PlaceRanking.precedes).prefix(limit)
        return try hits.map { hit throws(SnpackError) in
            Place(try tables.document(hit.number), distanceM: hit.distance)
        }
    }

    private func hits(in tables: PlaceTables) throws(SnpackError) -> [PlaceRanking.Hit] {
        let ranking = PlaceRanking(query: query, near: near, preferred: preferred)
        var hits: [PlaceRanking.Hit] = []
        var seen: Set<Int64> = []
        func add(_ row: PlaceTables.Row) {
            guard seen.insert(row.number).inserted else { return }
            hits.append(
                ranking.hit(
                    row.number, kind: row.kind, name: row.name, importance: row.importance, position: row.position))
        }
        func ask(_ expression: String?, most count: Int) throws(SnpackError) {
            guard let expression else { return }
            for scope in scopes {
                try tables.forEachMatch(
                    of: scope.narrowing(expression), in: scope.box, limit: max(count, limit), do: add)
            }
        }

        try ask(query.isWhole, most: 50)
        if query.words == [query.whole] && query.endsInOneLetter {
            // One letter begins a large part of all names: the most prominent of them will do.
            try tables.forEachFirst(600) { row in
                if bounds?.contains(row.position) ?? true, ranking.fit(of: row.name) > .other { add(row) }
            }
            if let near {
                for neighbour in try tables.nearest(to: near, limit: 200) {
                    guard let row = try tables.row(neighbour.number) else { continue }
                    if bounds?.contains(row.position) ?? true, ranking.fit(of: row.name) > .other { add(row) }
                }
            }
            return hits
        }
        try ask(query.beginsWhole, most: 100)
        try ask(query.hasWords, most: 200)
        if query.endsInOneLetter && hits.count < limit { try ask(query.hasFinishedWords, most: 200) }
        if hits.count < limit && query.words.count > 1 { try ask(query.hasBegunWords, most: 200) }
        if hits.isEmpty { try ask(query.hasAllButOneWord, most: 200) }
        if hits.isEmpty { try ask(query.hasAnyWord, most: 200) }
        return hits
    }

    /// The neighbourhood of the point, its region, everywhere; the area, if it is small enough to say so in cells.
    private var scopes: [Scope] {
        var scopes: [Scope] = []
        if let near {
            for (grid, radius) in [(PlaceGrid.near, 5_000.0), (.region, 25_000.0)] {
                let box = PlaceTables.box(around: near, radius: radius)
                if let cells = grid.words(meeting: box) { scopes.append(Scope(cells: cells, box: bounds)) }
            }
        }
        if let box = preferred ?? bounds {
            let cells = PlaceGrid.near.words(meeting: box) ?? PlaceGrid.region.words(meeting: box)
            scopes.append(Scope(cells: cells, box: box))
        }
        if bounds == nil { scopes.append(Scope()) }
        return scopes
    }
}

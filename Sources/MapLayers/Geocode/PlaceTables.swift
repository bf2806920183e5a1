import Database
import Diagnostics
import Glibc

/// The tables of an open index, with every statement that a search uses.
final class PlaceTables {
    private let database: Database
    let placeCount: Int
    private let southE7: Int
    private let northE7: Int
    private let text: Statement
    private let first: Statement
    private let hit: Statement
    private let cells: Statement
    private let place: Statement

    init(_ database: Database) throws(SnpackError) {
        self.database = database
        let meta = try PlaceMeta(database)
        placeCount = meta.documentCount
        (southE7, northE7) = (meta.south, meta.north)
        let hit = "place.number, place.kind, place.name, place.importance, place.lat_e7, place.lon_e7"
        text = try database.statement(
            """
            SELECT \(hit) FROM place_text JOIN place ON place.number = place_text.rowid
            WHERE place_text MATCH ?1 AND place.lat_e7 BETWEEN ?3 AND ?4 AND CASE WHEN ?5 <= ?6
                THEN place.lon_e7 BETWEEN ?5 AND ?6 ELSE place.lon_e7 >= ?5 OR place.lon_e7 <= ?6 END
            ORDER BY place_text.rowid LIMIT ?2
            """)
        first = try database.statement("SELECT \(hit) FROM place ORDER BY number LIMIT ?")
        self.hit = try database.statement("SELECT \(hit) FROM place WHERE number = ?")
        cells = try database.statement(
            """
            SELECT number, lat_e7, lon_e7 FROM place INDEXED BY place_position
            WHERE cell BETWEEN ? AND ? AND lat_e7 BETWEEN ? AND ?
            """)
        place = try database.statement("SELECT \(PlaceSchema.columns) FROM place WHERE number = ?")
    }

    /// Has the next statements share one budget of operations.
    func beginQuestion() { database.renewOperationBudget() }

    /// What a hit is ranked by, as the row of a statement has it.
    struct Row {
        let number: Int64
        let kind: PlaceKind
        let name: String
        let importance: Double
        let position: PlacePosition

        /// Nil for a damaged row.
        init?(_ row: Statement) {
            guard let kind = PlaceKind(rawValue: row.text(at: 1)),
                let position = PlacePosition(latE7: row.integer(at: 4), lonE7: row.integer(at: 5))
            else { return nil }
            number = row.integer(at: 0)
            self.kind = kind
            name = row.text(at: 2)
            importance = row.real(at: 3)
            self.position = position
        }
    }

    /// The first `limit` places that match an FTS5 expression, the most prominent first.
    func forEachMatch(
        of expression: String, in box: PlaceBox?, limit: Int, do body: (Row) -> Void
    ) throws(SnpackError) {
        let half = Int64(PlaceBox.turn / 2)
        try text.forEach(
            .text(expression), .integer(Int64(limit)), .integer(box.map { Int64($0.south) } ?? -half),
            .integer(box.map { Int64($0.north) } ?? half), .integer(box.map { Int64($0.west) } ?? -half),
            .integer(box.map { Int64($0.east) } ?? half)
        ) { row in
            if let row = Row(row) { body(row) }
        }
    }

    /// The most prominent places of all.
    func forEachFirst(_ limit: Int, do body: (Row) -> Void) throws(SnpackError) {
        try first.forEach(.integer(Int64(limit))) { row in
            if let row = Row(row) { body(row) }
        }
    }

    /// What place `number` is ranked by; nil if it is damaged.
    func row(_ number: Int64) throws(SnpackError) -> Row? {
        defer { hit.reset() }
        try hit.bind(number, at: 0)
        return try hit.step() ? Row(hit) : nil
    }

    func document(_ number: Int64) throws(SnpackError) -> PlaceDocument {
        defer { place.reset() }
        try place.bind(number, at: 0)
        guard try place.step() else {
            throw SnpackError(.geocodeSchemaBroken, "the text index names place \(number), which is not there")
        }
        return try PlaceSchema.document(in: place)
    }

    // MARK: By position

    struct Neighbour {
        let number: Int64
        let distance: Double
    }

    /// The `limit` nearest places, nearest first; at equal distance the more prominent first.
    ///
    /// Looks at boxes of doubling size, until enough places lie within the circle that the box holds whole.
    func nearest(to point: PlacePosition, limit: Int) throws(SnpackError) -> [Neighbour] {
        guard limit > 0 else { return [] }
        let halfTurn = Double.pi * PlacePosition.earthRadius
        var radius = 200.0
        while true {
            var found: [Neighbour] = []
            try forEachPosition(in: Self.box(around: point, radius: radius)) { number, position in
                let distance = point.distance(to: position)
                if distance <= radius { found.append(Neighbour(number: number, distance: distance)) }
            }
            if found.count >= limit || found.count >= placeCount || radius > halfTurn {
                found.sort { ($0.distance, $0.number) < ($1.distance, $1.number) }
                return Array(found.prefix(limit))
            }
            radius *= 2
        }
    }

    private func forEachPosition(
        in box: PlaceBox, do body: (Int64, PlacePosition) -> Void
    ) throws(SnpackError) {
        let box = box.clamped(south: southE7, north: northE7)
        for range in PlaceGrid.position.ranges(meeting: box) {
            try cells.forEach(
                .integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound)), .integer(Int64(box.south)),
                .integer(Int64(box.north))
            ) { row in
                if let position = PlacePosition(latE7: row.integer(at: 1), lonE7: row.integer(at: 2)) {
                    body(row.integer(at: 0), position)
                }
            }
        }
    }

    /// The smallest box that holds a circle on the sphere, all around where the circle holds a pole.
    static func box(around point: PlacePosition, radius: Double) -> PlaceBox {
        let angle = radius / PlacePosition.earthRadius
        let lat = point.lat * .pi / 180
        // One unit more than the rounded reach, so that no rounding leaves out the edge.
        let latReach = units(angle)
        let holdsPole = abs(lat) + angle >= .pi / 2
        let lonReach = holdsPole ? PlaceBox.turn / 2 : units(asin(min(1, sin(angle) / cos(lat))))
        return PlaceBox(around: point, latReach: latReach, lonReach: lonReach)
    }

    private static func units(_ radians: Double) -> Int {
        Int(min(Double(PlaceBox.turn), radians * 180 / .pi * 1e7)) + 2
    }
}

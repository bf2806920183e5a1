import Database
package import Diagnostics
package import DurableFiles
package import TerritoryModel

/// The places that belong to an area.
///
/// A place belongs if its point does. A street, locality or postcode belongs too if anything in the area names it: an
/// address in the area on a street whose own point lies outside keeps that street.
package struct PlaceSubset {
    /// Goes through all places there are, with their numbers, as often as it is asked.
    package typealias Places = (
        _ body: (PlaceDocument, Int) throws(SnpackError) -> Void
    ) throws(SnpackError) -> Void

    /// Indexes that are built in one pass over the places: each has a cache of its own.
    private static let groupCount = 4

    private let footprint: AreaFootprint
    private var streets: Set<[UInt8]> = []
    private var localities: Set<[UInt8]> = []
    private var postcodes: Set<[UInt8]> = []

    private init(_ footprint: AreaFootprint) { self.footprint = footprint }

    /// What belongs to each of several areas; looks through `places` once.
    package static func all(
        of places: Places, in footprints: [AreaFootprint]
    ) throws(SnpackError) -> [PlaceSubset] {
        var subsets = footprints.map { PlaceSubset($0) }
        try places { document, _ throws(SnpackError) in
            for index in subsets.indices where subsets[index].isIn(document) { subsets[index].note(document) }
        }
        return subsets
    }

    /// Remembers what a place in the area names.
    private mutating func note(_ document: PlaceDocument) {
        if let street = document.street {
            streets.insert(Self.key(document.countryCode, document.locality, street))
        }
        if let locality = document.locality {
            localities.insert(Self.key(document.countryCode, document.region, locality))
            // A locality may not tell its region.
            localities.insert(Self.key(document.countryCode, nil, locality))
        }
        if let postcode = document.postcode {
            postcodes.insert(Self.key(document.countryCode, nil, postcode))
        }
    }

    /// The places of a `places.sqlite`.
    package static func places(ofIndexAt path: String, cancel: CancelToken) throws(SnpackError) -> Places {
        let database = try Database.readingImmutable(path, cancel: cancel)
        return { body throws(SnpackError) in try PlaceRows.forEach(of: database, do: body) }
    }

    /// The places of a file of JSON lines.
    package static func places(
        of file: any RandomAccess, named name: String, context: WorkContext
    ) -> Places {
        { body throws(SnpackError) in
            var faults = FaultList()
            try PlaceLines.forEach(in: file, named: name, context: context, faults: &faults, do: body)
            try faults.throwIfAny("not all lines of \(quoted(name)) are places")
        }
    }

    package func contains(_ document: PlaceDocument) -> Bool { contains(document, named: Self.key(of: document)) }

    private func contains(_ document: PlaceDocument, named key: [UInt8]?) -> Bool {
        if isIn(document) { return true }
        guard let key else { return false }
        return switch document.kind {
        case .street: streets.contains(key)
        case .locality: localities.contains(key)
        case .postcode: postcodes.contains(key)
        case .address, .poi: false
        }
    }

    private func isIn(_ document: PlaceDocument) -> Bool {
        footprint.contains(longitude: Int64(document.position.lonE7), latitude: Int64(document.position.latE7))
    }

    /// How others name the place; nil for a kind that nothing is named after.
    private static func key(of document: PlaceDocument) -> [UInt8]? {
        switch document.kind {
        case .street: key(document.countryCode, document.locality, document.name)
        case .locality: key(document.countryCode, document.region, document.name)
        case .postcode: key(document.countryCode, nil, document.postcode ?? document.name)
        case .address, .poi: nil
        }
    }

    /// Names are compared by their bytes. Texts of places hold no NUL.
    private static func key(_ country: String, _ within: String?, _ name: String) -> [UInt8] {
        Array(country.utf8) + [0] + Array((within ?? "").utf8) + [0] + Array(name.utf8)
    }

    /// Builds the index of each subset of `places` in its directory, several in one pass.
    ///
    /// - Returns: nil, and no file, where no place belongs.
    package static func build(
        _ subsets: [PlaceSubset], of places: Places, in directories: [Directory], context: WorkContext
    ) throws(SnpackError) -> [PlaceIndexSummary?] {
        var summaries: [PlaceIndexSummary?] = []
        for start in stride(from: 0, to: subsets.count, by: groupCount) {
            let group = Array(start..<min(start + groupCount, subsets.count))
            let builders = try group.map { index throws(SnpackError) in
                try PlaceIndexBuilder(in: directories[index], context: context)
            }
            var counts = group.map { _ in 0 }
            try places { document, number throws(SnpackError) in
                let key = key(of: document)
                for (place, index) in group.enumerated() where subsets[index].contains(document, named: key) {
                    try builders[place].add(document, line: number)
                    counts[place] += 1
                }
            }
            for (count, builder) in zip(counts, builders) {
                summaries.append(count == 0 ? nil : try builder.finish())
            }
        }
        return summaries
    }
}

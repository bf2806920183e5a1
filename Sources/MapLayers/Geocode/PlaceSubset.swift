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

    private let footprint: AreaFootprint
    private let places: Places
    private var streets: Set<[UInt8]> = []
    private var localities: Set<[UInt8]> = []
    private var postcodes: Set<[UInt8]> = []

    /// Looks through `places` once.
    package init(of places: @escaping Places, in footprint: AreaFootprint) throws(SnpackError) {
        self.footprint = footprint
        self.places = places
        var names = (streets: Set<[UInt8]>(), localities: Set<[UInt8]>(), postcodes: Set<[UInt8]>())
        try places { document, _ throws(SnpackError) in
            guard Self.isIn(document, footprint) else { return }
            if let street = document.street {
                names.streets.insert(Self.key(document.countryCode, document.locality, street))
            }
            if let locality = document.locality {
                names.localities.insert(Self.key(document.countryCode, document.region, locality))
                // A locality may not tell its region.
                names.localities.insert(Self.key(document.countryCode, nil, locality))
            }
            if let postcode = document.postcode {
                names.postcodes.insert(Self.key(document.countryCode, nil, postcode))
            }
        }
        (streets, localities, postcodes) = names
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

    /// Looks through the places again and hands over those that belong.
    package func forEach(_ body: (PlaceDocument, Int) throws(SnpackError) -> Void) throws(SnpackError) {
        try places { document, number throws(SnpackError) in
            if contains(document) { try body(document, number) }
        }
    }

    package func contains(_ document: PlaceDocument) -> Bool {
        if Self.isIn(document, footprint) { return true }
        switch document.kind {
        case .street:
            return streets.contains(Self.key(document.countryCode, document.locality, document.name))
        case .locality:
            return localities.contains(Self.key(document.countryCode, document.region, document.name))
        case .postcode:
            return postcodes.contains(Self.key(document.countryCode, nil, document.postcode ?? document.name))
        case .address, .poi: return false
        }
    }

    private static func isIn(_ document: PlaceDocument, _ footprint: AreaFootprint) -> Bool {
        footprint.contains(longitude: Int64(document.position.lonE7), latitude: Int64(document.position.latE7))
    }

    /// Names are compared by their bytes. Texts of places hold no NUL.
    private static func key(_ country: String, _ within: String?, _ name: String) -> [UInt8] {
        Array(country.utf8) + [0] + Array((within ?? "").utf8) + [0] + Array(name.utf8)
    }

    /// Builds the index of the places that belong in `directory`.
    ///
    /// - Returns: nil, and no file, when none does.
    package func build(in directory: Directory, context: WorkContext) throws(SnpackError) -> PlaceIndexSummary? {
        let builder = try PlaceIndexBuilder(in: directory, context: context)
        var count = 0
        try forEach { document, number throws(SnpackError) in
            try builder.add(document, line: number)
            count += 1
        }
        return count == 0 ? nil : try builder.finish()
    }
}

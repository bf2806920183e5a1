import TerritoryModel

/// Names in a store's directory. None of them, and nothing in the store's files, is an absolute path.
///
/// ```
/// store.json                                   what this is
/// active.json                                  the active territory
/// channels/<name>/mark.json, index.signed      the mark, and the index it is of
/// territories/<id>/state.json                  which slot is current, which the one before
/// territories/<id>/<slot>/package/             the package directory
/// territories/<id>/<slot>/record.json          what was left out
/// territories/<id>/<slot>/layers/<kind>.…      listing, sizes and chunk table of a layer
/// cache/                                       what was fetched and not installed yet
/// locks/<id>                                   taken while a territory is changed
/// ```
enum StoreName {
    static let marker = "store.json"
    static let active = "active.json"
    static let channels = "channels"
    static let mark = "mark.json"
    static let index = "index.signed"
    static let territories = "territories"
    static let state = "state.json"
    static let package = "package"
    static let record = "record.json"
    static let layers = "layers"
    static let cache = "cache"
    static let locks = "locks"
    /// The lock of what belongs to no single territory.
    static let storeLock = "store"
}

/// Where one installed version lies below its territory: the version, with `+2` and so on when that name is taken.
struct SlotName: Hashable, Sendable, CustomStringConvertible {
    let version: TerritoryVersion
    let number: Int

    init(_ version: TerritoryVersion, number: Int = 1) {
        self.version = version
        self.number = number
    }

    /// Nil for a name that is no slot's.
    init?(_ name: String) {
        let parts = name.split(separator: "+", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let version = try? TerritoryVersion(parsing: String(parts[0])) else {
            return nil
        }
        let number = parts.count == 1 ? 1 : Int(parts[1]) ?? 0
        self.init(version, number: number)
        guard number > 0, description == name else { return nil }
    }

    var description: String { number == 1 ? version.rawValue : "\(version)+\(number)" }
}

/// The engines that content needs, each with the lowest version that reads it: `{"valhalla": "3.5.1"}`.
public struct EngineRequirements: Hashable, Sendable {
    /// The lowest version of each engine.
    public private(set) var minimums: [EngineName: TerritoryVersion]

    /// Requirements of these lowest versions; of nothing by default.
    public init(_ minimums: [EngineName: TerritoryVersion] = [:]) { self.minimums = minimums }

    /// True if any reader will do.
    public var isEmpty: Bool { minimums.isEmpty }

    /// Requires what `other` requires too: of an engine that both name, the higher version.
    public mutating func formUnion(_ other: EngineRequirements) {
        minimums.merge(other.minimums) { max($0, $1) }
    }

    /// The engines that `available` lacks or has in too low a version, by name.
    public func unmet(by available: [EngineName: TerritoryVersion]) -> [(engine: EngineName, minimum: TerritoryVersion)]
    {
        minimums.sorted { $0.key < $1.key }.compactMap { engine, minimum in
            if let version = available[engine], version >= minimum { nil } else { (engine, minimum) }
        }
    }
}

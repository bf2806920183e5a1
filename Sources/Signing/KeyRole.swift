/// What a key may sign: the two roles share nothing.
public enum KeyRole: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Countries, their manifests, and the channel index that lists them.
    case factory
    /// Custom regions (`region-…`) and their one-territory indices, and nothing else.
    case region

    /// The role's name.
    public var description: String { rawValue }
}

import TerritoryFactory
import TerritoryModel

/// What a publishing command did, for people and for scripts.
enum PublishText {
    static func lines(_ outcome: ChannelPublisher.Outcome, isStaged: Bool) -> [String] {
        var lines = outcome.added.map { "\(isStaged ? "staged" : "published") \($0)" }
        lines += outcome.unchanged.map { "\($0) is there already, with the same manifest" }
        return lines + [index(outcome.index, isSigned: outcome.isSigned)]
    }

    /// Where the channel stands afterwards.
    static func index(_ index: ChannelIndex, isSigned: Bool) -> String {
        isSigned
            ? "channel \(index.channel), sequence \(index.sequence)"
                + (index.expiresAt.map { ", good until \($0)" } ?? "")
            : "nothing to do: channel \(index.channel) stays at sequence \(index.sequence)"
    }

    static func json(_ outcome: ChannelPublisher.Outcome, isStaged: Bool) -> JSONObject {
        var object = json(outcome.index, isChanged: outcome.isSigned, isStaged: isStaged)
        object["published"] = .array(outcome.added.map { .string($0.description) })
        object["unchanged"] = .array(outcome.unchanged.map { .string($0.description) })
        return object
    }

    /// What every publishing command says of the index.
    static func json(_ index: ChannelIndex, isChanged: Bool, isStaged: Bool) -> JSONObject {
        var object = IndexText.head(index)
        object["changed"] = .bool(isChanged)
        object["staged"] = .bool(isStaged && isChanged)
        return object
    }
}

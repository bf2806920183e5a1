import Diagnostics
import Foundation
import Signing
import TerritoryClient
import TerritoryModel
import TerritoryPackage

extension Scene {
    func overwrite(_ path: String, with bytes: [UInt8]) throws {
        let url = root.appending(path: path)
        try? FileManager.default.removeItem(at: url)
        try Data(bytes).write(to: url)
    }
}

extension AttackRow {
    private static let mark = "channels/main/mark.json"
    private static let kept = "channels/main/index.signed"
    private static let mayNotFetch = ["territories/"]

    /// The mark, the channel's name, expiry and clocks: SPEC 11.
    static let marks: [AttackRow] = [
        AttackRow("a lower sequence", .refused("index.rolled-back"), mustNotRequest: mayNotFetch) {
            $0.facts.sequence = 4
            try $0.publish([$0.release("1.1.0")])
        },
        AttackRow("a lower sequence, allowed", .updated("1.1.0")) {
            $0.facts.sequence = 4
            try $0.publish([$0.release("1.1.0")])
            $0.request.allowances = .olderIndex
        },
        AttackRow(
            "the mark is not lowered by what was allowed", .refused("index.rolled-back"), mustNotRequest: mayNotFetch
        ) {
            $0.facts.sequence = 4
            try $0.publish([])
            _ = try await $0.store().install(
                $0.territory(), from: $0.channel, InstallRequest(allowances: .olderIndex))
        },
        AttackRow("equal sequence, other bytes", .refused("index.forked"), mustNotRequest: mayNotFetch) {
            $0.facts.sequence = 5
            try $0.publish([$0.release("1.1.0")])
        },
        AttackRow(
            "equal sequence, other bytes, older ones allowed", .refused("index.forked"), mustNotRequest: mayNotFetch
        ) {
            $0.facts.sequence = 5
            try $0.publish([$0.release("1.1.0")])
            $0.request.allowances = .olderIndex
        },
        AttackRow("equal sequence, same bytes", .upToDate, mustNotRequest: mayNotFetch) { _ in },
        AttackRow("a greater sequence", .updated("1.1.0")) { try $0.publish([$0.release("1.1.0")]) },
        AttackRow("the greatest sequence there is", .updated("1.1.0")) {
            $0.facts.sequence = 1 << 52
            try $0.publish([$0.release("1.1.0")])
        },
        AttackRow(
            "the mark is stored before a manifest is fetched", .refused("index.rolled-back"),
            mustNotRequest: mayNotFetch
        ) {
            $0.facts.sequence = 9
            try $0.publish([$0.release("1.1.0")])
            $0.channel.lie { request, _ in request.path.hasSuffix("manifest.json") ? .missing : nil }
            _ = try? await $0.store().install($0.territory(), from: $0.channel)
            $0.channel.lie(nil)
            $0.facts.sequence = 8
            try $0.publish([$0.release("1.1.0")])
        },
        AttackRow("check stores the mark too", .refused("index.rolled-back"), mustNotRequest: mayNotFetch) {
            $0.facts.sequence = 9
            try $0.publish([$0.release("1.1.0")])
            _ = try await $0.store().check($0.territory(), from: $0.channel)
            $0.facts.sequence = 8
            try $0.publish([$0.release("1.1.0")])
        },
        AttackRow(
            "the mark survives removal and an empty cache", .refused("index.rolled-back"), isUpdate: false,
            mustNotRequest: mayNotFetch
        ) {
            try await $0.install100()
            try await $0.store().remove($0.territory())
            try await $0.store().clearLayerCache()
            $0.facts.sequence = 4
            try $0.publish([])
        },
        AttackRow(
            "a zero-byte mark is rebuilt from the kept index", .refused("index.rolled-back"),
            mustNotRequest: mayNotFetch
        ) {
            try $0.overwrite(mark, with: [])
            $0.facts.sequence = 4
            try $0.publish([])
        },
        AttackRow("a mark of garbage is rebuilt", .refused("index.rolled-back"), mustNotRequest: mayNotFetch) {
            try $0.overwrite(mark, with: [UInt8](repeating: 0, count: 220))
            $0.facts.sequence = 4
            try $0.publish([])
        },
        AttackRow("a damaged kept index leaves the mark", .refused("index.rolled-back"), mustNotRequest: mayNotFetch) {
            try $0.overwrite(kept, with: [0])
            $0.facts.sequence = 4
            try $0.publish([])
        },
        AttackRow("both damaged: protection starts afresh", .updated("1.1.0")) {
            try $0.overwrite(mark, with: [])
            try $0.overwrite(kept, with: [])
            $0.facts.sequence = 4
            try $0.publish([$0.release("1.1.0")])
        },
        AttackRow("a forged kept index is none", .updated("1.1.0")) {
            try $0.overwrite(mark, with: [])
            let index = try ChannelSimulator.index([$0.release("1.0.0")], $0.facts)
            let line = try SignatureText($0.secret.stranger.sign(index)).fileBytes
            try $0.overwrite(kept, with: line + [0x0A] + index)
            $0.facts.sequence = 2
            try $0.publish([$0.release("1.1.0")])
        },
        AttackRow("a thief's fast-forward ends with the key", .updated("1.1.0")) {
            $0.facts.sequence = 1 << 52
            try $0.publish([])
            _ = try await $0.store().sync($0.territory(), from: $0.channel)
            $0.keys = try PinnedKeys(
                factory: [FactoryKey($0.secret.otherFactory.publicKey)], retired: [$0.secret.factory.publicKey])
            $0.facts.sequence = 7
            let resigned = try ["1.0.0", "1.1.0"].map { version in
                try SimulatedRelease(
                    Scene.uk, version, layers: Scene.layers(version), signer: SimulatedKeys.all.otherFactory)
            }
            try $0.channel.publish(resigned, $0.facts, signer: $0.secret.otherFactory)
        },
        AttackRow(
            "a mark of a key that is still current holds", .refused("index.rolled-back"), mustNotRequest: mayNotFetch
        ) {
            $0.keys = try PinnedKeys(
                factory: [FactoryKey($0.secret.otherFactory.publicKey), FactoryKey($0.secret.factory.publicKey)])
            $0.facts.sequence = 4
            try $0.publish([$0.release("1.1.0")], signer: $0.secret.otherFactory)
        },
        AttackRow(
            "what the marked index withdrew stays withdrawn", .refused("version.yanked"), mustNotRequest: mayNotFetch
        ) {
            $0.facts.yanked = ["1.1.0": "wrong turns"]
            $0.facts.latest = "1.0.0"
            try $0.publish([$0.release("1.1.0")])
            _ = try await $0.store().check($0.territory(), from: $0.channel)
            $0.facts = .init()
            $0.facts.sequence = 4
            try $0.publish([$0.release("1.1.0")])
            $0.request.allowances = .olderIndex
            $0.request.version = .exactly(try TerritoryVersion(parsing: "1.1.0"))
        },

        // The channel's name.
        AttackRow("another channel", .refused("index.other-channel"), mustNotRequest: mayNotFetch) {
            $0.facts.channel = "beta"
            try $0.publish([$0.release("1.1.0")])
        },
        AttackRow("the channel that the store was told", .updated("1.1.0")) {
            $0.facts.channel = "beta"
            $0.options.channel = try ChannelName(parsing: "beta")
            try $0.publish([$0.release("1.1.0")])
        },
        AttackRow("each channel has a mark of its own", .updated("1.1.0")) {
            $0.facts.channel = "beta"
            $0.facts.sequence = 1
            $0.options.channel = try ChannelName(parsing: "beta")
            try $0.publish([$0.release("1.1.0")])
        },
        AttackRow(
            "nothing is learnt from the first answer", .refused("index.other-channel"), isUpdate: false,
            mustNotRequest: mayNotFetch
        ) {
            $0.facts.channel = "evil"
            try $0.publish([])
        },
        AttackRow(
            "a region without a region key", .refused("trust.no-region-key"), isUpdate: false, mustNotRequest: ["index"]
        ) {
            $0.keys = try PinnedKeys(factory: [FactoryKey($0.secret.factory.publicKey)])
            $0.id = "region-0123456789abcdef"
        },

        // Age and clocks.
        AttackRow("an expired index", .refused("index.expired"), mustNotRequest: mayNotFetch) {
            $0.facts.expiresAt = "2026-11-24T00:00:00Z"
            try $0.publish([$0.release("1.1.0")])
        },
        AttackRow("an expired index, allowed", .updated("1.1.0")) {
            $0.facts.expiresAt = "2026-11-24T00:00:00Z"
            try $0.publish([$0.release("1.1.0")])
            $0.request.allowances = .expired
        },
        AttackRow("an index that expires in ten years", .updated("1.1.0")) {
            $0.facts.expiresAt = "2036-11-24T00:00:00Z"
            try $0.publish([$0.release("1.1.0")])
        },
        AttackRow("expiry in the very second", .refused("index.expired"), mustNotRequest: mayNotFetch) {
            $0.facts.expiresAt = Scene.clock
            try $0.publish([$0.release("1.1.0")])
        },
        AttackRow("older than was asked for", .refused("index.stale"), mustNotRequest: mayNotFetch) {
            try $0.publish([$0.release("1.1.0")])
            $0.request.maxAge = 86_400
        },
        AttackRow("no older than was asked for", .updated("1.1.0")) {
            try $0.publish([$0.release("1.1.0")])
            $0.request.maxAge = 7 * 86_400
        },
        AttackRow("Case 67: a clock of 1970", .updated("1.1.0")) {
            $0.facts.expiresAt = "2026-12-24T00:00:00Z"
            try $0.publish([$0.release("1.1.0")])
            $0.now = "1970-01-01T00:00:00Z"
        },
        AttackRow("Case 67: a clock of 2099 and no expiry", .updated("1.1.0")) {
            try $0.publish([$0.release("1.1.0")])
            $0.now = "2099-01-01T00:00:00Z"
        },
        AttackRow("Case 67: an index five minutes in the future", .updated("1.1.0")) {
            $0.facts.publishedAt = "2026-11-25T12:05:00Z"
            try $0.publish([$0.release("1.1.0")])
        },
    ]
}

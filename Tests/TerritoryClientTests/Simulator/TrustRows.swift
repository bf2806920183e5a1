import Diagnostics
import Foundation
import Hashing
import Signing
import TerritoryClient
import TerritoryModel
import TerritoryPackage

extension AttackRow {
    private static func text(_ index: [UInt8]) -> String { String(decoding: index, as: UTF8.self) }

    /// Publishes 1.1.0 with an index whose text is changed before it is signed.
    private static func publish(_ scene: Scene, changing old: String, to new: String) throws {
        try scene.publish([scene.release("1.1.0")])
        let index = text(scene.channel["index.json"] ?? [])
        try scene.channel.put(
            index: Array(index.replacingOccurrences(of: old, with: new).utf8), signer: scene.secret.factory)
    }

    /// Signatures, roles and forms: SPEC 5 and 6.
    static let signatures: [AttackRow] = [
        AttackRow("index by a stranger", .refused("signature.not-trusted"), mustNotRequest: ["territories/", "json"]) {
            try $0.publish([$0.release("1.1.0")], signer: $0.secret.stranger)
        },
        AttackRow("country index by the region key", .refused("trust.wrong-role"), mustNotRequest: ["territories/"]) {
            try $0.publish([$0.release("1.1.0")], signer: $0.secret.region)
        },
        AttackRow("empty index by the region key", .refused("trust.wrong-role"), mustNotRequest: ["territories/"]) {
            try $0.channel.put(index: ChannelSimulator.index([], $0.facts), signer: $0.secret.region)
        },
        AttackRow("one byte of the index changed", .refused("signature.not-trusted"), mustNotRequest: ["territories/"])
        {
            try $0.publish([$0.release("1.1.0")])
            $0.channel["index.signed"]?[200] ^= 1
        },
        AttackRow("five signature lines", .refused("signature.malformed"), mustNotRequest: ["territories/"]) {
            try $0.publish([$0.release("1.1.0")])
            let line = Array($0.channel["index.signed"]?.prefix(89) ?? [])
            $0.channel["index.signed"] = line + line + line + line + ($0.channel["index.signed"] ?? [])
        },
        AttackRow("a stranger's line before ours", .updated("1.1.0")) {
            try $0.publish([$0.release("1.1.0")], signer: $0.secret.stranger)
            let line = Array($0.channel["index.signed"]?.prefix(89) ?? [])
            try $0.publish([$0.release("1.1.0")])
            $0.channel["index.signed"] = line + ($0.channel["index.signed"] ?? [])
        },
        AttackRow("index by a retired key", .refused("signature.not-trusted"), mustNotRequest: ["territories/"]) {
            try $0.publish([$0.release("1.1.0")])
            $0.keys = try PinnedKeys(
                factory: [FactoryKey($0.secret.otherFactory.publicKey)], retired: [$0.secret.factory.publicKey])
        },
        AttackRow("manifest by a retired key", .refused("signature.not-trusted"), mustNotRequest: ["layers/"]) {
            try $0.publish([$0.release("1.1.0")], signer: $0.secret.otherFactory)
            $0.keys = try PinnedKeys(
                factory: [FactoryKey($0.secret.otherFactory.publicKey)], retired: [$0.secret.factory.publicKey])
        },
        AttackRow("manifest by the region key", .refused("trust.wrong-role"), mustNotRequest: ["layers/"]) {
            try $0.publish([$0.release("1.1.0", layers: Scene.layers("1.1.0"), signer: $0.secret.region)])
        },
        AttackRow("manifest by a stranger", .refused("signature.not-trusted"), mustNotRequest: ["layers/"]) {
            try $0.publish([$0.release("1.1.0", layers: Scene.layers("1.1.0"), signer: $0.secret.stranger)])
        },
        AttackRow("a later format of the index", .refused("index.too-new"), mustNotRequest: ["territories/"]) {
            try publish($0, changing: "\"format\": 1", to: "\"format\": 2")
        },
        AttackRow("a critical key that nobody knows", .refused("index.too-new"), mustNotRequest: ["territories/"]) {
            try publish($0, changing: "\"channel\": \"main\"", to: "\"channel\": \"main\", \"critical\": [\"holo\"]")
        },
        AttackRow("a key that nobody knows, not critical", .updated("1.1.0")) {
            try publish($0, changing: "\"channel\": \"main\"", to: "\"channel\": \"main\", \"holo\": {\"a\": [null]}")
        },
        AttackRow(
            "a signed manifest in the index's place", .refused("index.malformed"), mustNotRequest: ["territories/"]
        ) {
            try $0.channel.put(index: $0.release("1.1.0").bytes, signer: $0.secret.factory)
        },
        AttackRow("no signature lines", .refused("index.signed-malformed"), mustNotRequest: ["json", "territories/"]) {
            try $0.publish([$0.release("1.1.0")])
            $0.channel["index.signed"] = $0.channel["index.json"]
        },
        AttackRow("a page in the index's place", .refused("index.signed-malformed"), mustNotRequest: ["json"]) {
            $0.channel["index.signed"] = Array("<html><body>Welcome to our hotel</body></html>\n".utf8)
        },
        AttackRow("a key twice", .refused("index.malformed"), mustNotRequest: ["territories/"]) {
            try publish($0, changing: "\"channel\": \"main\"", to: "\"channel\": \"main\", \"channel\": \"main\"")
        },
        AttackRow("a trailing comma", .refused("index.malformed"), mustNotRequest: ["territories/"]) {
            try publish($0, changing: "\"type\": \"channel-index\"", to: "\"type\": \"channel-index\",")
        },
        AttackRow("600 nested arrays", .refused("index.malformed"), mustNotRequest: ["territories/"]) {
            let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
            try publish($0, changing: "\"channel\": \"main\"", to: "\"channel\": \"main\", \"x\": \(deep)")
        },
        AttackRow("a manifest path that leads elsewhere", .refused("index.malformed"), mustNotRequest: ["territories/"])
        {
            try publish($0, changing: "uk/1.1.0/manifest.json", to: "uk/../evil/manifest.json")
        },
        AttackRow("a manifest of a later format", .refused("manifest.too-new"), mustNotRequest: ["layers/"]) {
            let release = try $0.release("1.1.0")
            let bytes = Array(text(release.bytes).replacingOccurrences(of: "\"format\": 1", with: "\"format\": 2").utf8)
            try publish($0, changing: Blake3Text.of(release.bytes), to: Blake3Text.of(bytes))
            $0.channel[release.name.manifestPath] = bytes
            $0.channel[release.name.manifestPath + ".sig"] = try SignatureText($0.secret.factory.sign(bytes)).fileBytes
        },
    ]

    /// `index.signed` and the pair: SPEC 7.
    static let reading: [AttackRow] = [
        AttackRow("the pair alone", .updated("1.1.0"), requestCounts: ["index.signed": 1, "index.json": 1]) {
            try $0.publish([$0.release("1.1.0")])
            $0.channel["index.signed"] = nil
        },
        AttackRow(
            "never a mix: a bad index.signed with a good pair", .refused("signature.not-trusted"),
            mustNotRequest: ["json"]
        ) {
            try $0.publish([$0.release("1.1.0")], signer: $0.secret.stranger)
            let forged = $0.channel["index.signed"]
            try $0.publish([$0.release("1.1.0")])
            $0.channel["index.signed"] = forged
        },
        AttackRow(
            "Case 49: a pair torn for good", .refused("index.torn"), mustNotRequest: ["territories/"],
            requestCounts: ["index.json": 4, "index.json.sig": 4]
        ) {
            let old = $0.channel["index.json.sig"]
            try $0.publish([$0.release("1.1.0")])
            $0.channel["index.signed"] = nil
            $0.channel["index.json.sig"] = old
        },
        AttackRow("Case 49: a pair torn the other way", .refused("index.torn"), mustNotRequest: ["territories/"]) {
            let old = $0.channel["index.json"]
            try $0.publish([$0.release("1.1.0")])
            $0.channel["index.signed"] = nil
            $0.channel["index.json"] = old
        },
        AttackRow("Case 49: a pair that is whole past the caches", .updated("1.1.0"), requestCounts: ["index.json": 2])
        {
            let old = $0.channel["index.json"] ?? []
            try $0.publish([$0.release("1.1.0")])
            $0.channel["index.signed"] = nil
            $0.channel.lie { request, _ in
                request.path == "index.json" && !request.isPastCaches ? .answer(old) : nil
            }
        },
        AttackRow("a pair without its signature", .refused("package.file-missing"), mustNotRequest: ["territories/"]) {
            try $0.publish([$0.release("1.1.0")])
            $0.channel["index.signed"] = nil
            $0.channel["index.json.sig"] = nil
        },
        AttackRow("no channel at all", .refused("index.not-found"), mustNotRequest: ["territories/"]) {
            $0.channel.lie { _, _ in .missing }
        },
        AttackRow("Case 61: an endless index", .refused("document.too-large"), mustNotRequest: ["territories/"]) {
            $0.channel.lie { request, _ in
                request.path == "index.signed" ? .endless([UInt8](repeating: 0x5B, count: 1 << 20)) : nil
            }
        },
        AttackRow("Case 61: an endless signature", .refused("document.too-large"), mustNotRequest: ["territories/"]) {
            $0.channel["index.signed"] = nil
            $0.channel.lie { request, _ in request.path == "index.json.sig" ? .endless([0x41]) : nil }
        },
        AttackRow("the network is gone", .refused("transfer.connection-lost"), requestCounts: ["index.signed": 1]) {
            $0.channel.lie { _, _ in .fail(ChannelSimulator.lost) }
        },
        AttackRow("the index breaks off", .refused("transfer.connection-lost"), mustNotRequest: ["json"]) {
            $0.channel.lie { _, _ in .breakOff(after: 100) }
        },
        AttackRow("cancelled while the index comes", .cancelled, mustNotRequest: ["territories/"]) {
            try $0.publish([$0.release("1.1.0")])
            $0.channel.lie { _, _ in .cancel(after: 100) }
        },
    ]
}

enum Blake3Text {
    static func of(_ bytes: [UInt8]) -> String { Blake3Digest.of(bytes).hex }
}

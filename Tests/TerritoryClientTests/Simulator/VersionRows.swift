import Diagnostics
import Foundation
import TerritoryClient
import TerritoryModel

extension AttackRow {
    private static func version(_ text: String) throws -> TerritoryVersion { try TerritoryVersion(parsing: text) }
    private static func engine(_ text: String) throws -> [EngineName: TerritoryVersion] {
        [try EngineName(parsing: "valhalla"): try TerritoryVersion(parsing: text)]
    }

    /// Which version is taken, and whether: SPEC 11.
    static let versions: [AttackRow] = [
        AttackRow("nothing new", .upToDate, mustNotRequest: ["territories/"]) { try $0.publish([]) },
        AttackRow(
            "the same version with another manifest", .refused("version.changed"), mustNotRequest: ["territories/"]
        ) {
            let other = try $0.release("1.0.0", layers: Scene.layers("other"))
            try $0.channel.publish([other], $0.facts, signer: $0.secret.factory)
        },
        AttackRow("an older version alone", .refused("version.older"), mustNotRequest: ["territories/"]) {
            try $0.channel.publish([$0.release("0.9.0")], $0.facts, signer: $0.secret.factory)
        },
        AttackRow("latest_version goes back", .refused("version.older"), mustNotRequest: ["territories/"]) {
            $0.facts.latest = "0.9.0"
            try $0.publish([$0.release("0.9.0")])
        },
        AttackRow("an older version, allowed", .updated("0.9.0")) {
            try $0.channel.publish([$0.release("0.9.0")], $0.facts, signer: $0.secret.factory)
            $0.request.allowances = .downgrade
        },
        AttackRow("an older version asked for by name", .refused("version.older"), mustNotRequest: ["territories/"]) {
            try $0.publish([$0.release("0.9.0")])
            $0.request.version = .exactly(try version("0.9.0"))
        },
        AttackRow("the greatest is withdrawn: the one below", .updated("1.1.0")) {
            $0.facts.yanked = ["1.2.0": "broken ferries"]
            try $0.publish([$0.release("1.1.0"), $0.release("1.2.0")])
        },
        AttackRow("all newer ones are withdrawn", .upToDate, mustNotRequest: ["territories/"]) {
            $0.facts.yanked = ["1.1.0": "broken"]
            try $0.publish([$0.release("1.1.0")])
        },
        AttackRow("what is installed is withdrawn and stays", .upToDate, mustNotRequest: ["territories/"]) {
            $0.facts.yanked = ["1.0.0": "broken"]
            try $0.publish([])
        },
        AttackRow(
            "all are withdrawn, nothing is installed", .refused("version.yanked"), isUpdate: false,
            mustNotRequest: ["territories/"]
        ) {
            $0.facts.yanked = ["1.0.0": "broken"]
            try $0.publish([])
        },
        AttackRow("all are withdrawn, allowed", .installed("1.0.0"), isUpdate: false) {
            $0.facts.yanked = ["1.0.0": "broken"]
            try $0.publish([])
            $0.request.allowances = .yanked
        },
        AttackRow("a withdrawn one by name", .refused("version.yanked"), mustNotRequest: ["territories/"]) {
            $0.facts.yanked = ["1.1.0": "broken"]
            try $0.publish([$0.release("1.1.0")])
            $0.request.version = .exactly(try version("1.1.0"))
        },
        AttackRow("a withdrawn one by name, allowed", .updated("1.1.0")) {
            $0.facts.yanked = ["1.1.0": "broken"]
            try $0.publish([$0.release("1.1.0")])
            $0.request.version = .exactly(try version("1.1.0"))
            $0.request.allowances = .yanked
        },
        AttackRow("nothing above latest_version is offered", .updated("1.1.0")) {
            $0.facts.latest = "1.1.0"
            try $0.publish([$0.release("1.1.0"), $0.release("1.2.0")])
        },
        AttackRow("above latest_version by name", .updated("1.2.0")) {
            $0.facts.latest = "1.1.0"
            try $0.publish([$0.release("1.1.0"), $0.release("1.2.0")])
            $0.request.version = .exactly(try version("1.2.0"))
        },
        AttackRow("a pre-release is not offered", .updated("1.1.0")) {
            try $0.publish([$0.release("1.1.0"), $0.release("2.0.0-beta.1")])
        },
        AttackRow("a version that is not listed", .refused("version.not-listed"), mustNotRequest: ["territories/"]) {
            try $0.publish([])
            $0.request.version = .exactly(try version("3.0.0"))
        },
        AttackRow("a territory that is not listed", .refused("version.not-listed"), mustNotRequest: ["territories/"]) {
            try $0.channel.put(index: ChannelSimulator.index([], $0.facts), signer: $0.secret.factory)
        },
        AttackRow("Case 23: an engine too new: the greatest readable version", .updated("1.1.0")) {
            try $0.publish([
                $0.release("1.1.0", requires: ["valhalla": "3.5.0"]),
                $0.release("1.2.0", requires: ["valhalla": "4.0.0"]),
            ])
            $0.options.engines = try engine("3.5.1")
        },
        AttackRow(
            "Case 23: none readable, nothing installed", .refused("engine.too-old"), isUpdate: false,
            mustNotRequest: ["territories/"]
        ) {
            let release = try $0.release("1.1.0", requires: ["valhalla": "4.0.0"])
            try $0.channel.publish([release], $0.facts, signer: $0.secret.factory)
            $0.options.engines = try engine("3.5.1")
        },
        AttackRow("none newer readable: what is installed stays", .upToDate, mustNotRequest: ["territories/"]) {
            let release = try $0.release("1.1.0", requires: ["valhalla": "4.0.0"])
            try $0.channel.publish([release], $0.facts, signer: $0.secret.factory)
            $0.options.engines = try engine("3.5.1")
        },
        AttackRow("an unreadable one by name", .refused("engine.too-old"), mustNotRequest: ["territories/"]) {
            try $0.publish([$0.release("1.1.0", requires: ["valhalla": "4.0.0"])])
            $0.options.engines = try engine("3.5.1")
            $0.request.version = .exactly(try version("1.1.0"))
        },
        AttackRow("engines that nobody told are not judged", .updated("1.1.0")) {
            try $0.publish([$0.release("1.1.0", requires: ["valhalla": "4.0.0"])])
        },
        AttackRow("9999.0.0 by mistake, withdrawn", .updated("1.1.0")) {
            try $0.publish([$0.release("9999.0.0")])
            _ = try await $0.store().sync($0.territory(), from: $0.channel)
            $0.facts.sequence = 7
            $0.facts.yanked = ["9999.0.0": "by mistake"]
            try $0.publish([$0.release("9999.0.0"), $0.release("1.1.0")])
            $0.request.allowances = .downgrade
        },
        AttackRow("after a rollback the version left is held", .held, mustNotRequest: ["territories/"]) {
            try $0.publish([$0.release("1.1.0")])
            _ = try await $0.store().sync($0.territory(), from: $0.channel)
            _ = try await $0.store().rollback($0.territory())
        },
        AttackRow("a version above the one left ends the hold", .updated("1.2.0")) {
            try $0.publish([$0.release("1.1.0")])
            _ = try await $0.store().sync($0.territory(), from: $0.channel)
            _ = try await $0.store().rollback($0.territory())
            $0.facts.sequence = 7
            try $0.publish([$0.release("1.1.0"), $0.release("1.2.0")])
        },
        AttackRow("asking for the version left ends the hold", .updated("1.1.0")) {
            try $0.publish([$0.release("1.1.0")])
            _ = try await $0.store().sync($0.territory(), from: $0.channel)
            _ = try await $0.store().rollback($0.territory())
            $0.request.version = .exactly(try version("1.1.0"))
        },
    ]
}

import Diagnostics
import Foundation
import Hashing
import Signing
import SnpackTestSupport
import TerritoryModel
import TerritoryPackage
import Testing

/// Who may sign what, and what else a document must be before it is believed.
@Suite struct TrustTests {
    private struct Keys {
        let factory, spare, region, stranger: SecretKey

        init() throws {
            (factory, spare) = (try .generate(role: .factory), try .generate(role: .factory))
            (region, stranger) = (try .generate(role: .region), try .generate(role: .factory))
        }

        func pinned(
            factory: [SecretKey]? = nil, region: [SecretKey]? = nil, retired: [SecretKey] = []
        ) throws(SnpackError) -> PinnedKeys {
            try PinnedKeys(
                factory: (factory ?? [self.factory]).map { FactoryKey($0.publicKey) },
                region: (region ?? [self.region]).map { RegionKey($0.publicKey) },
                retired: retired.map(\.publicKey))
        }
    }

    private enum Sample {
        static func bytes(_ path: String) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: ProjectFiles.vectors.appending(path: path)))
        }
        static func manifest() throws -> [UInt8] {
            try bytes("channel-ok/territories/liechtenstein/1.1.0/manifest.json")
        }
        static func index() throws -> [UInt8] { try bytes("channel-ok/index.json") }
        static func regionManifest() throws -> [UInt8] {
            try bytes("region-ok/territories/region-0bdce04100525163/1.1.0/manifest.json")
        }
        static func regionIndex() throws -> [UInt8] { try bytes("region-ok/index.json") }
    }

    private let keys: Keys

    init() throws { keys = try Keys() }

    private func signed(_ bytes: [UInt8], by signers: SecretKey...) throws -> [UInt8] {
        try SignatureText(signers.map { signer throws(SnpackError) in try signer.sign(bytes) }).fileBytes
    }

    private func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch { return (error as? SnpackError)?.code.name ?? "\(error)" }
    }

    // MARK: - Roles

    @Test("Case 65: a key signs only what is for its role, both ways")
    func case065_roles() throws {
        let pinned = try keys.pinned()
        let (country, index) = (try Sample.manifest(), try Sample.index())
        let (region, regionIndex) = (try Sample.regionManifest(), try Sample.regionIndex())
        #expect(
            try pinned.verifyManifest(country, signature: signed(country, by: keys.factory)).signer
                == keys.factory.publicKey)
        #expect(
            try pinned.verifyManifest(region, signature: signed(region, by: keys.region)).signer
                == keys.region.publicKey)
        _ = try pinned.verifyIndex(index, signature: signed(index, by: keys.factory))
        _ = try pinned.verifyIndex(regionIndex, signature: signed(regionIndex, by: keys.region))
        for (bytes, signer) in [(country, keys.region), (region, keys.factory)] {
            #expect(
                code { _ = try pinned.verifyManifest(bytes, signature: signed(bytes, by: signer)) }
                    == "trust.wrong-role")
        }
        for (bytes, signer) in [(index, keys.region), (regionIndex, keys.factory)] {
            #expect(
                code { _ = try pinned.verifyIndex(bytes, signature: signed(bytes, by: signer)) } == "trust.wrong-role")
        }
        #expect(
            code { _ = try pinned.verifyManifest(country, signature: signed(country, by: keys.stranger)) }
                == "signature.not-trusted")
    }

    @Test func aRoleComesFromThePinAndNeverFromTheDocument() throws {
        // The same key, pinned as a region key, no longer signs a country.
        let pinned = try keys.pinned(factory: [keys.spare], region: [keys.factory])
        let country = try Sample.manifest()
        #expect(
            code { _ = try pinned.verifyManifest(country, signature: signed(country, by: keys.factory)) }
                == "trust.wrong-role")
    }

    @Test func anIndexIsOfOneRoleAlone() throws {
        let pinned = try keys.pinned()
        func index(_ channel: String, regions: Bool) throws -> [UInt8] {
            let source = try ChannelIndex(decoding: regions ? Sample.regionIndex() : Sample.index())
            return try ChannelIndex(
                channel: ChannelName(parsing: channel), sequence: 5, publishedAt: source.publishedAt,
                territories: source.territories
            ).canonicalBytes
        }
        let rows: [(bytes: [UInt8], signer: SecretKey)] = [
            // A region's channel by another name, and one that stands for another region.
            (try index("main", regions: true), keys.region),
            (try index("region-00000000000000aa", regions: true), keys.region),
            // Countries in a channel with a region's name.
            (try index("region-00000000000000aa", regions: false), keys.factory),
            // A region in a channel of countries.
            (try index("main", regions: true), keys.factory),
            // Nothing at all is the factory's to say.
            (
                try ChannelIndex(
                    channel: .main, sequence: 1, publishedAt: Timestamp(secondsSince1970: 0), territories: []
                ).canonicalBytes, keys.region
            ),
        ]
        for (number, row) in rows.enumerated() {
            #expect(
                code { _ = try pinned.verifyIndex(row.bytes, signature: signed(row.bytes, by: row.signer)) }
                    == "trust.wrong-role", "row \(number)")
        }
        let empty = rows[4].bytes
        _ = try pinned.verifyIndex(empty, signature: signed(empty, by: keys.factory))
    }

    // MARK: - Pinned keys

    @Test func severalKeysOfARoleArePinnedAtOnce() throws {
        let country = try Sample.manifest()
        let pinned = try keys.pinned(factory: [keys.factory, keys.spare])
        for signer in [keys.factory, keys.spare] {
            #expect(
                try pinned.verifyManifest(country, signature: signed(country, by: signer)).signer == signer.publicKey)
        }
    }

    @Test func eightKeysOfARoleFitAndNineDoNot() throws {
        let many = try (0..<9).map { _ throws(SnpackError) in try SecretKey.generate(role: .factory) }
        _ = try keys.pinned(factory: Array(many[..<8]), retired: [])
        #expect(code { _ = try keys.pinned(factory: many) } == "keys.invalid")
        _ = try keys.pinned(region: Array(many[..<8]))
        #expect(code { _ = try keys.pinned(region: many) } == "keys.invalid")
        _ = try keys.pinned(retired: Array(many[..<8]))
        #expect(code { _ = try keys.pinned(retired: many) } == "keys.invalid")
    }

    @Test func aKeyHasOnePlace() throws {
        #expect(code { _ = try keys.pinned(region: [keys.factory]) } == "keys.invalid")
        #expect(code { _ = try keys.pinned(retired: [keys.factory]) } == "keys.invalid")
        #expect(code { _ = try keys.pinned(retired: [keys.region]) } == "keys.invalid")
        #expect(code { _ = try PinnedKeys(factory: []) } == "keys.invalid")
        // Given twice for the same role it is one key.
        _ = try keys.pinned(factory: [keys.factory, keys.factory])
    }

    @Test func aRetiredKeyVerifiesOnlyWhatIsInstalled() throws {
        let pinned = try keys.pinned(factory: [keys.spare], region: [], retired: [keys.factory, keys.region])
        let (country, index) = (try Sample.manifest(), try Sample.index())
        let signature = try signed(country, by: keys.factory)
        #expect(
            try pinned.verifyManifest(country, signature: signature, for: .installed).signer == keys.factory.publicKey)
        #expect(code { _ = try pinned.verifyManifest(country, signature: signature) } == "signature.not-trusted")
        #expect(
            code { _ = try pinned.verifyIndex(index, signature: signed(index, by: keys.factory)) }
                == "signature.not-trusted")
    }

    // MARK: - Signature lines

    @Test func anyOfFourLinesWillDo() throws {
        let country = try Sample.manifest()
        let pinned = try keys.pinned()
        for signers in [
            [keys.factory], [keys.stranger, keys.factory], [keys.stranger, keys.spare, keys.region, keys.factory],
        ] {
            let text = try SignatureText(signers.map { signer throws(SnpackError) in try signer.sign(country) })
            _ = try pinned.verifyManifest(country, signature: text.fileBytes)
        }
        let strangers = try signed(country, by: keys.stranger, keys.spare)
        #expect(code { _ = try pinned.verifyManifest(country, signature: strangers) } == "signature.not-trusted")
        let line = try SignatureText(keys.factory.sign(country)).fileBytes
        let five = Array([[UInt8]](repeating: line, count: 5).joined(separator: [0x0A]))
        #expect(code { _ = try pinned.verifyManifest(country, signature: five) } == "signature.malformed")
    }

    @Test func twoRolesThatSignOneDocumentDoNotMakeItTheOthers() throws {
        // A region key's line beside the factory's: the factory's counts for a country, in whatever order they stand.
        let country = try Sample.manifest()
        let pinned = try keys.pinned()
        _ = try pinned.verifyManifest(country, signature: signed(country, by: keys.region, keys.factory))
    }

    @Test("Case 61: signature files have a limit")
    func case061_signatureSize() throws {
        let country = try Sample.manifest()
        let pinned = try keys.pinned()
        let line = try SignatureText(keys.factory.sign(country)).fileBytes
        let most = line + [UInt8](repeating: 0x0A, count: 1_024 - line.count)
        _ = try pinned.verifyManifest(country, signature: most)
        #expect(code { _ = try pinned.verifyManifest(country, signature: most + [0x0A]) } == "signature.malformed")
        #expect(code { _ = try pinned.verifyManifest(country, signature: []) } == "signature.malformed")
    }

    // MARK: - Content

    @Test("Case 95: what is signed are the bytes received, in whatever layout, and unknown keys are passed over")
    func case095_exactBytes() throws {
        let pinned = try keys.pinned()
        let text = String(decoding: try Sample.manifest(), as: UTF8.self)
        let other = Array(
            text.replacing("{\n  \"attribution\"", with: "{ \"zz\": [7.4000000000000004], \r\n \"attribution\"").utf8)
        #expect(other.count != text.utf8.count)
        let verified = try pinned.verifyManifest(other, signature: signed(other, by: keys.factory))
        #expect(verified.bytes == other && verified.blake3 == .of(other))
        // The same document in its canonical layout is another file.
        #expect(
            code {
                _ = try pinned.verifyManifest(
                    verified.document.canonicalBytes, signature: signed(other, by: keys.factory))
            }
                == "signature.not-trusted")
    }

    @Test func theSignatureIsCheckedBeforeTheContent() throws {
        let pinned = try keys.pinned()
        let garbage = Array("{ no JSON".utf8)
        #expect(
            code { _ = try pinned.verifyManifest(garbage, signature: signed(garbage, by: keys.stranger)) }
                == "signature.not-trusted")
        #expect(
            code { _ = try pinned.verifyManifest(garbage, signature: signed(garbage, by: keys.factory)) }
                == "manifest.malformed")
    }

    @Test func aDocumentOfTheOtherTypeIsRefused() throws {
        let pinned = try keys.pinned()
        let (country, index) = (try Sample.manifest(), try Sample.index())
        let one = code { _ = try pinned.verifyIndex(country, signature: signed(country, by: keys.factory)) }
        let two = code { _ = try pinned.verifyManifest(index, signature: signed(index, by: keys.factory)) }
        #expect(one == "index.malformed" && two == "manifest.malformed", "\(one ?? ""), \(two ?? "")")
    }

    @Test func whatCriticalNamesMustBeKnown() throws {
        let pinned = try keys.pinned()
        func manifest(_ critical: String) throws -> [UInt8] {
            Array(
                String(decoding: try Sample.manifest(), as: UTF8.self)
                    .replacing("{\n  \"attribution\"", with: "{\n  \"critical\": \(critical),\n  \"attribution\"").utf8)
        }
        for known in ["[]", "[\"bbox\"]", "[\"layers\", \"provenance\"]"] {
            let bytes = try manifest(known)
            _ = try pinned.verifyManifest(bytes, signature: signed(bytes, by: keys.factory))
        }
        let bytes = try manifest("[\"bbox\", \"terrain\"]")
        let error = #expect(throws: SnpackError.self) {
            try pinned.verifyManifest(bytes, signature: signed(bytes, by: keys.factory))
        }
        #expect(error?.code.exitStatus == .unsupported)
        #expect(error?.message.contains("terrain") == true)
    }

    @Test("Case 61: documents have limits, and are taken up to them")
    func case061_documentSizes() throws {
        let pinned = try keys.pinned()
        func padded(_ bytes: [UInt8], to count: Int) -> [UInt8] {
            bytes + [UInt8](repeating: 0x20, count: count - bytes.count)
        }
        let manifest = try padded(Sample.manifest(), to: 4 << 20)
        _ = try pinned.verifyManifest(manifest, signature: signed(manifest, by: keys.factory))
        let longManifest = manifest + [0x20]
        #expect(
            code { _ = try pinned.verifyManifest(longManifest, signature: signed(longManifest, by: keys.factory)) }
                == "document.too-large")
        let index = try padded(Sample.index(), to: 16 << 20)
        _ = try pinned.verifyIndex(index, signature: signed(index, by: keys.factory))
        let longIndex = index + [0x20]
        #expect(
            code { _ = try pinned.verifyIndex(longIndex, signature: signed(longIndex, by: keys.factory)) }
                == "document.too-large")
    }

    @Test("Case 59: what the index says of a version is what its manifest says")
    func case059_facts() throws {
        let index = try ChannelIndex(decoding: Sample.index())
        let manifest = try Manifest(decoding: Sample.manifest())
        let territory = try #require(index[manifest.territoryID])
        try territory.check(manifest, listedAs: manifest.version)
        for (facts, from, to) in [
            ("total_bytes", "\"total_bytes\": \(manifest.totalBytes)", "\"total_bytes\": \(manifest.totalBytes + 1)"),
            ("download_bytes", "\"download_bytes\": \(manifest.downloadBytes)", "\"download_bytes\": 1"),
            (
                "data_timestamp", "\"data_timestamp\": \"\(manifest.dataTimestamp)\"",
                "\"data_timestamp\": \"2001-01-01T00:00:00Z\""
            ),
        ] {
            let text = String(decoding: try Sample.index(), as: UTF8.self)
            #expect(text.contains(from), "\(facts)")
            let lying = try ChannelIndex(decoding: Array(text.replacing(from, with: to).utf8))
            let error = #expect(throws: SnpackError.self, "\(facts)") {
                try lying[manifest.territoryID]?.check(manifest, listedAs: manifest.version)
            }
            #expect(error?.message.contains(facts) == true, "\(error?.message ?? "")")
        }
    }

    @Test("Case 53: expiry is judged at the moment given, and an index without one never expires")
    func case053_expiry() throws {
        func index(_ expiry: Int64?) throws -> ChannelIndex {
            try ChannelIndex(
                channel: .main, sequence: 1, publishedAt: Timestamp(secondsSince1970: 1_000),
                expiresAt: expiry.map { Timestamp(secondsSince1970: $0) }, territories: [])
        }
        let now = Timestamp(secondsSince1970: 2_000)
        try index(nil).checkNotExpired(at: Timestamp(secondsSince1970: 9_000_000_000))
        try index(2_001).checkNotExpired(at: now)
        for expiry: Int64 in [1_001, 1_999, 2_000] {
            let error = #expect(throws: SnpackError.self) { try index(expiry).checkNotExpired(at: now) }
            #expect(error?.code == .indexExpired && error?.hint?.contains("clock") == true)
        }
        // A clock from before it was published finds nothing wrong.
        try index(2_001).checkNotExpired(at: Timestamp(secondsSince1970: 0))
    }
}

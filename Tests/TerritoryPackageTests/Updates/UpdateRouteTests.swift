import Diagnostics
import Hashing
import TerritoryModel
import TerritoryPackage
import Testing

@Suite struct UpdateRouteTests {
    /// Content `tag` of a kind, with a blob of `blob` bytes and patches from other contents.
    private func layer(
        _ tag: UInt8, kind: String = "pmtiles", blob: UInt64 = 10_000, patches: [UInt8: UInt64] = [:],
        path: String? = nil
    ) throws -> Manifest.Layer {
        let path = try LayerPath(parsing: path ?? kind)
        let described = try Manifest.Blob(
            of: path, fileCount: 1, layerByteCount: 20_000, byteCount: blob, blake3: .of([tag, 1]),
            tarByteCount: 22_016, tableByteCount: 96, tableBlake3: .of([tag, 2]))
        return try Manifest.Layer(
            kind: LayerKind(parsing: kind), path: path, isTree: false, fileCount: 1, byteCount: 20_000,
            blake3: .of([tag]), blob: described,
            patches: patches.map { from, byteCount in
                try Manifest.Patch(
                    from: .of([from]), byteCount: byteCount, blake3: .of([tag, from]), oldTarByteCount: 22_016,
                    tableByteCount: 52)
            })
    }

    private func release(_ version: String, _ layers: [Manifest.Layer]) throws -> Manifest {
        try Manifest(
            territoryID: TerritoryID(parsing: "liechtenstein"), version: TerritoryVersion(parsing: version),
            displayName: DisplayText(parsing: "Liechtenstein"),
            dataTimestamp: Timestamp(secondsSince1970: 1_700_000_000),
            boundingBox: BoundingBox(west: 9, south: 47, east: 10, north: 48),
            attribution: [DisplayText(parsing: "© OpenStreetMap contributors", length: Limits.attribution)],
            layers: layers)
    }

    private func versions(_ way: UpdateRoute.Way) -> [String]? {
        if case .patched(let legs) = way { legs.map(\.release.version.rawValue) } else { nil }
    }

    @Test func equalContentIsNotFetched() throws {
        let route = UpdateRoute(to: try release("2.0.0", [try layer(1)]), from: [try layer(1, blob: 5_000)])
        #expect(route.layers.map(\.way) == [.held])
        #expect(route.byteCount == 0)
    }

    @Test func onlyMissingLayersAreFetched() throws {
        let target = try release("2.0.0", [try layer(1), try layer(2, kind: "style", blob: 3_000)])
        let route = UpdateRoute(to: target, from: [try layer(1)])
        #expect(route.layers.map(\.way) == [.held, .whole])
        #expect(route.byteCount == 3_000)
    }

    @Test func onlyWantedLayersArePlanned() throws {
        let target = try release("2.0.0", [try layer(1), try layer(2, kind: "style")])
        let route = UpdateRoute(to: target, kinds: [try LayerKind(parsing: "style")], from: [])
        #expect(route.layers.map(\.layer.kind.rawValue) == ["style"])
    }

    @Test func directPatchIsTakenWhereItIsCheaper() throws {
        let cheap = UpdateRoute(to: try release("2.0.0", [try layer(2, patches: [1: 700])]), from: [try layer(1)])
        #expect(versions(cheap.layers[0].way) == ["2.0.0"])
        #expect(cheap.byteCount == 700)
        let dear = UpdateRoute(to: try release("2.0.0", [try layer(2, patches: [1: 10_000])]), from: [try layer(1)])
        #expect(dear.layers[0].way == .whole)
    }

    @Test func patchFromAnotherContentIsNoWay() throws {
        let route = UpdateRoute(to: try release("2.0.0", [try layer(2, patches: [9: 700])]), from: [try layer(1)])
        #expect(route.layers[0].way == .whole)
    }

    @Test func chainGoesThroughListedReleasesInOrder() throws {
        let between = [
            try release("3.0.0", [try layer(3, patches: [2: 300])]),
            try release("2.0.0", [try layer(2, patches: [1: 400])]),
        ]
        let target = try release("4.0.0", [try layer(4, patches: [3: 200])])
        let route = UpdateRoute(to: target, from: [try layer(1)], through: between)
        #expect(versions(route.layers[0].way) == ["2.0.0", "3.0.0", "4.0.0"])
        #expect(route.byteCount == 900)
        #expect(route.releases.map(\.version.rawValue).sorted() == ["2.0.0", "3.0.0", "4.0.0"])
        if case .patched(let legs) = route.layers[0].way {
            #expect(legs[0].path == "territories/liechtenstein/2.0.0/\(legs[0].layer.path(of: legs[0].patch))")
        }
        #expect(UpdateRoute(to: target, from: [try layer(1)]).layers[0].way == .whole)
        #expect(UpdateRoute(to: target, from: [try layer(3)], through: between).byteCount == 200)
    }

    @Test func cheapestOfDirectChainAndBlobIsTaken() throws {
        let between = [try release("2.0.0", [try layer(2, patches: [1: 400])])]
        func route(direct: UInt64, last: UInt64) throws -> UpdateRoute {
            let target = try release("3.0.0", [try layer(3, patches: [1: direct, 2: last])])
            return UpdateRoute(to: target, from: [try layer(1)], through: between)
        }
        #expect(try route(direct: 1_000, last: 500).byteCount == 900)
        #expect(try route(direct: 850, last: 500).byteCount == 850)
        // Of two ways of one price the shorter.
        #expect(versions(try route(direct: 900, last: 500).layers[0].way) == ["3.0.0"])
        #expect(try route(direct: 20_000, last: 9_600).layers[0].way == .whole)
    }

    @Test func chainsEndAfterEightPatches() throws {
        func way(_ count: Int) throws -> UpdateRoute.Way {
            let releases = try (1...count).map { step in
                try release("\(step + 1).0.0", [try layer(UInt8(step + 1), patches: [UInt8(step): 100])])
            }
            return UpdateRoute(to: releases[count - 1], from: [try layer(1)], through: releases).layers[0].way
        }
        #expect(versions(try way(8))?.count == 8)
        #expect(try way(9) == .whole)
    }

    @Test func patchesInACircleEnd() throws {
        let between = [
            try release("1.0.0", [try layer(1, patches: [2: 100])]),
            try release("2.0.0", [try layer(2, patches: [1: 100])]),
        ]
        let route = UpdateRoute(
            to: try release("3.0.0", [try layer(3, patches: [7: 100])]), from: [try layer(1)], through: between)
        #expect(route.layers[0].way == .whole)
    }

    @Test func lastPatchMakesTheLayerUnderItsOwnPath() throws {
        let elsewhere = try release("2.0.0", [try layer(3, patches: [1: 100], path: "other")])
        let target = try release("3.0.0", [try layer(3)])
        #expect(UpdateRoute(to: target, from: [try layer(1)], through: [elsewhere]).layers[0].way == .whole)
    }

    @Test func pruneKeepsTheReleasesOfPromisedChains() throws {
        let old = try release("1.0.0", [try layer(1)])
        let middle = try release("2.0.0", [try layer(2, patches: [1: 400])])
        let unused = try release("2.5.0", [try layer(5)])
        let target = try release("3.0.0", [try layer(3, patches: [2: 300])])
        let needed = UpdateRoute.releasesNeeded(
            toReach: target, from: [old, unused], through: [old, middle, unused, target])
        #expect(needed == [middle.name, target.name])
    }

    @Test func tellsWhatFurtherManifestsCouldSave() throws {
        func saving(_ patches: [UInt8: UInt64], _ between: [Manifest] = []) throws -> UInt64 {
            UpdateRoute(
                to: try release("4.0.0", [try layer(4, patches: patches)]), from: [try layer(1)], through: between
            )
            .possibleSaving
        }
        let unknown = try release("3.0.0", [try layer(3, patches: [2: 300])])
        #expect(try saving([3: 200]) == 9_800)
        #expect(try saving([1: 700]) == 0, "a direct patch, and no other")
        #expect(try saving([1: 700, 3: 200]) == 500, "a chain might be cheaper than the direct patch")
        #expect(try saving([3: 200], [unknown]) == 9_500)
        #expect(try saving([3: 200], [try release("3.0.0", [try layer(3)])]) == 0, "the chain ends there")
        // Whether the layer is older than the target, only an older manifest tells.
        #expect(try saving([:]) == 10_000)
        #expect(try saving([:], [unknown]) == 0)
    }

    @Test func theFullestMomentHoldsTwoLayersOfAChain() throws {
        let between = [
            try release("3.0.0", [try layer(3, patches: [2: 300])]),
            try release("2.0.0", [try layer(2, patches: [1: 400])]),
        ]
        let target = try release("4.0.0", [try layer(4, patches: [3: 200])])
        func peak(_ tag: UInt8) throws -> UInt64 {
            UpdateRoute(to: target, from: [try layer(tag)], through: between).layers[0].peakByteCount
        }
        #expect(try peak(1) == 40_000)
        #expect(try peak(3) == 20_000)
        #expect(try peak(4) == 0)
        #expect(try peak(9) == 20_000, "the blob")
    }
}

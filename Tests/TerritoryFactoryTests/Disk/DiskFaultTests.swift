import Diagnostics
import DurableFiles
import Foundation
import Hashing
import Signing
import SnpackTestSupport
import TerritoryFactory
import TerritoryModel
import TerritoryPackage
import Testing

/// What the factory does, with a disk that fails, or dies, or loses power, at every call in turn.
@Suite struct DiskFaultTests {
    private let factory: SmallFactory

    init() throws { factory = try SmallFactory() }

    private func matrix(_ name: String, _ prepare: (URL) throws -> Void, _ body: (FaultMatrix) async throws -> Void)
        async throws
    {
        try await ProjectFiles.inTemporaryDirectory { root in
            let start = root.appending(path: "start")
            try FileManager.default.createDirectory(at: start, withIntermediateDirectories: true)
            try prepare(start)
            try await body(FaultMatrix(name, from: start))
        }
    }

    /// `whole` if a directory has exactly these contents, `nothing` if it isn't there; anything else is a mix.
    private func whole(_ directory: URL, as expected: [String: Data]) throws -> String {
        guard let found = try SmallFactory.contents(directory) else { return "nothing" }
        guard found == expected else {
            return "a mix: \(found.keys.sorted()), not \(expected.keys.sorted())"
        }
        return "whole"
    }

    // MARK: - Releases

    @Test("Case 83: build leaves a whole release or none, wherever the disk fails")
    func case083_build() async throws {
        let layers = "{kind: 'notes', source: 'note.txt'}, {kind: 'geocode-index', source: 'places.ndjson'}"
        let place =
            #"{"id":"osm:node:217","kind":"locality","name":"Oberplanken","housenumber":"","street":"","locality":"Planken","region":"Wahlkreis Oberland","postcode":"","country_code":"LI","lat":47.178495,"lon":9.545018,"categories":["place:suburb"],"importance":0.52}"#
        func build(_ root: URL, _ disk: any Disk) throws {
            _ = try factory.build("1.0.0", in: root, layers: layers, disk)
        }
        let expected = try ProjectFiles.inTemporaryDirectory { root in
            try Data((place + "\n").utf8).write(to: root.appending(path: "places.ndjson"))
            try build(root, SystemDisk())
            return try SmallFactory.contents(root.appending(path: "build/demo")) ?? [:]
        }
        try await matrix("build", { try Data((place + "\n").utf8).write(to: $0.appending(path: "places.ndjson")) }) {
            try await $0.run(
                before: "nothing", after: "whole", act: build,
                state: { root in
                    // A directory for the territory is no release.
                    let found = root.appending(path: "build/demo")
                    return try SmallFactory.contents(found)?.isEmpty == true ? "nothing" : whole(found, as: expected)
                })
        }
    }

    @Test("pack writes a whole .snpkg or leaves the old one, wherever the disk fails")
    func pack() async throws {
        func pack(_ version: String, _ root: URL, _ disk: any Disk) throws {
            let release = try Release(Directory.open(root.appending(path: "build/demo/\(version)").path))
            _ = try PackageArchive.write(
                release, Manifest(decoding: release.manifestBytes), to: root.appending(path: "demo.snpkg").path,
                context: WorkContext(), disk: disk)
        }
        try await matrix(
            "pack",
            {
                for version in ["1.0.0", "1.1.0"] { _ = try factory.release(version, in: $0) }
                try pack("1.0.0", $0, SystemDisk())
            }
        ) {
            try await $0.run(before: "1.0.0", after: "1.1.0", act: { try pack("1.1.0", $0, $1) }) { root in
                let archive = try PackageArchive(OpenFile(reading: root.appending(path: "demo.snpkg").path))
                let manifest = try factory.key.pinned().verifyManifest(
                    archive.manifestBytes, signature: archive.signatureBytes
                ).document
                try archive.checkForm(for: manifest)
                try PackageProof(depth: .deep, context: WorkContext()).faults(of: archive, manifest)
                    .throwIfAny("the archive has faults")
                return manifest.version.rawValue
            }
        }
    }

    @Test("Case 83: unpack makes a whole directory or none, wherever the disk fails")
    func case083_unpack() async throws {
        func unpack(_ root: URL, _ disk: any Disk) throws {
            let release = try Release(Directory.open(root.appending(path: "build/demo/1.0.0").path))
            let manifest = try Manifest(decoding: release.manifestBytes)
            do throws(SnpackError) {
                try Unpacking.unpack(
                    release, manifest, to: root.appending(path: "out/demo").path, context: WorkContext(), disk: disk)
            } catch  where error.code == .fileExists {}
        }
        let tree = "{kind: 'notes', source: 'note.txt'}, {kind: 'more', source: 'tree'}"
        try await matrix(
            "unpack",
            { root in
                for name in ["tree/a/b", "tree/c"] {
                    let file = root.appending(path: name)
                    try FileManager.default.createDirectory(
                        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                    try Data(name.utf8).write(to: file)
                }
                _ = try factory.release("1.0.0", in: root, layers: tree)
            }
        ) { matrix in
            let expected = try ProjectFiles.inTemporaryDirectory { root in
                let copy = root.appending(path: "copy")
                try FileManager.default.copyItem(at: matrix.start, to: copy)
                try unpack(copy, SystemDisk())
                return try SmallFactory.contents(copy.appending(path: "out/demo")) ?? [:]
            }
            try await matrix.run(before: "nothing", after: "whole", act: unpack) {
                try whole($0.appending(path: "out/demo"), as: expected)
            }
        }
    }

    @Test("Case 83: cut leaves a whole region or none, wherever the disk fails")
    func case083_cut() async throws {
        let layers = """
            {kind: 'poi-sidecar', source: '\(ProjectFiles.sample.path)/v1/poi-sidecar/poi.sqlite'},
            {kind: 'notes', source: 'note.txt'}
            """
        let area = try RegionArea(BoundingBox(west: 9.48, south: 47.1, east: 9.56, north: 47.2), bufferMeters: nil)
        func cut(_ root: URL, _ disk: any Disk) throws {
            let source = try CutSource(
                SourceReference(parsing: root.appending(path: "build/demo/1.0.0").path), keys: factory.key.pinned(),
                now: Timestamp(secondsSince1970: 0), report: SilentReporter())
            var options = CutOptions(output: root.appending(path: "regions").path, tool: "test")
            options.keptWhole = [try LayerKind(parsing: "notes")]
            options.disk = disk
            let request = RegionRequest(name: try DisplayText(parsing: "Vaduz"), area: area)
            _ = try RegionCutter(source, options: options, context: WorkContext()).cut([request])
        }
        try await matrix("cut", { _ = try factory.release("1.0.0", in: $0, layers: layers) }) { matrix in
            func regions(_ root: URL) throws -> [String: Data] {
                // A directory for the region, or for all, is no release.
                (try SmallFactory.contents(root.appending(path: "regions")) ?? [:])
                    .filter { $0.key.contains("/") }
            }
            let expected = try ProjectFiles.inTemporaryDirectory { root in
                let copy = root.appending(path: "copy")
                try FileManager.default.copyItem(at: matrix.start, to: copy)
                try cut(copy, SystemDisk())
                return try regions(copy)
            }
            try await matrix.run(before: "nothing", after: "whole", act: cut) { root in
                let found = try regions(root)
                return found.isEmpty ? "nothing" : found == expected ? "whole" : "a mix: \(found.keys.sorted())"
            }
        }
    }

    // MARK: - Channels

    @Test("Case 83: publish leaves the old channel or the new one, wherever the disk fails")
    func case083_publish() async throws {
        try await matrix(
            "publish",
            { root in
                for version in ["1.0.0", "1.1.0"] { _ = try factory.release(version, in: root) }
                try factory.publish("1.0.0", in: root)
            }
        ) {
            try await $0.run(
                before: "1", after: "2", leastCallCount: 60, act: { try factory.publish("1.1.0", in: $0, $1) },
                again: { root in
                    try factory.publish("1.1.0", in: root)
                    #expect(try factory.catalogueSequence(root) == 2, "the catalogue caught up")
                }
            ) { root in
                #expect(try [1, 2].contains(factory.catalogueSequence(root)))
                return "\(try factory.soundSequence(root))"
            }
        }
    }

    @Test("Case 83: a first publish that fails anywhere leaves no channel or a whole one")
    func case083_firstPublish() async throws {
        try await matrix("first publish", { _ = try factory.release("1.0.0", in: $0) }) {
            try await $0.run(
                before: "0", after: "1", leastCallCount: 40, act: { try factory.publish("1.0.0", in: $0, $1) }
            ) { "\(try factory.soundSequence($0))" }
        }
    }

    @Test("a staged index goes live once it is signed, or not at all, wherever the disk fails")
    func stageAndCommit() async throws {
        func prepare(_ root: URL) throws {
            for version in ["1.0.0", "1.1.0"] { _ = try factory.release(version, in: root) }
            try factory.publish("1.0.0", in: root)
        }
        func finish(_ root: URL) throws {
            try factory.sign(root.appending(path: "channel/.snpack/staged").path, "index.json")
            try factory.commit(in: root)
        }
        try await matrix("stage", prepare) {
            try await $0.run(
                before: "1", after: "2", act: { try factory.publish("1.1.0", in: $0, staging: true, $1) },
                again: { root in
                    try factory.publish("1.1.0", in: root, staging: true)
                    try finish(root)
                }
            ) { "\(try factory.soundSequence($0))" }
        }
        try await matrix(
            "commit",
            { root in
                try prepare(root)
                try factory.publish("1.1.0", in: root, staging: true)
                try factory.sign(root.appending(path: "channel/.snpack/staged").path, "index.json")
            }
        ) {
            try await $0.run(
                before: "1", after: "2", act: { try factory.commit(in: $0, $1) },
                again: { root in
                    // A commit that went live before the disk failed has nothing more to do.
                    do { try factory.commit(in: root) } catch {
                        if (error as? SnpackError)?.code != .stagedMissing { throw error }
                    }
                }
            ) { "\(try factory.soundSequence($0))" }
        }
    }
}

import Diagnostics
import DurableFiles
import Foundation
import Signing
import SnpackTestSupport
import TerritoryFactory
import TerritoryModel
import TerritoryPackage
import Testing

/// Publishing with a disk that fails, or dies, at every call in turn.
@Suite struct PublishOnAFailingDiskTests {
    private static let now = Timestamp(secondsSince1970: 1_796_083_200)
    private let key: SecretKey

    init() throws { key = try SecretKey.generate(role: .factory) }

    /// Builds and signs a version of a territory of one small file.
    private func release(_ version: String, in root: URL) throws -> String {
        try Data("content of \(version)".utf8).write(to: root.appending(path: "note.txt"))
        let definition = """
            {id: 'demo', display_name: 'Demo', attribution: 'nobody', bbox: [9, 47, 10, 48],
             data_timestamp: '2026-01-01T00:00:00Z', layers: [{kind: 'notes', source: 'note.txt'}]}
            """
        var options = ReleaseBuilder.Options(version: try TerritoryVersion(parsing: version), tool: "test")
        options.output = root.appending(path: "build").path
        let builder = ReleaseBuilder(
            try TerritoryDefinition(decoding: Array(definition.utf8), directory: root.path), options: options,
            context: WorkContext())
        let path = try builder.build().path
        let release = try Directory.open(path)
        let manifest = try release.contents(of: "manifest.json", limit: 1 << 20)
        try release.write(key.signatureFile(of: manifest), to: "manifest.json.sig")
        return path
    }

    @discardableResult
    private func publish(_ release: String, to channel: String, _ disk: any Disk = SystemDisk()) throws -> UInt64 {
        try ChannelPublisher(
            channel: channel, finish: .sign(key), succession: IndexSuccession(now: Self.now), context: WorkContext(),
            disk: disk
        ).publish([release]).index.sequence
    }

    private func report(_ channel: String) throws -> ChannelProof.Report {
        try ChannelProof(
            ChannelDirectory(Directory.open(channel)), keys: key.pinned(), depth: .deep, isPartial: false,
            now: Self.now, context: WorkContext()
        ).report()
    }

    private func leftovers(_ root: URL) -> [String] {
        (FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? [])
            .filter { $0.contains(TemporaryName.prefix) }
    }

    @Test(
        "Case 83: old or new, never a mix, wherever the disk fails; and the next run finishes",
        arguments: [false, true])
    func case083_everyCallFails(dies: Bool) throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let (old, new) = (try release("1.0.0", in: root), try release("1.1.0", in: root))
            let first = root.appending(path: "first")
            try publish(old, to: first.path)
            let channel = root.appending(path: "channel")
            var outcomes: Set<UInt64> = []
            var call = 0
            while true {
                try? FileManager.default.removeItem(at: channel)
                try FileManager.default.copyItem(at: first, to: channel)
                let disk = FailingDisk(failing: call, dies: dies)
                do { try publish(new, to: channel.path, disk) } catch {
                    #expect((error as? SnpackError)?.code == .diskFull, "call \(call): \(error)")
                }
                if disk.calls <= call { break }
                let after = try report(channel.path)
                #expect(after.faults.isEmpty, "call \(call): \(after.faults.faults)")
                outcomes.insert(try #require(after.index).sequence)
                #expect(try publish(new, to: channel.path) == 2, "call \(call)")
                let finished = try report(channel.path)
                #expect(
                    finished.faults.isEmpty && finished.warnings.isEmpty && finished.releaseCount == 2, "call \(call)")
                #expect(leftovers(channel) == [], "call \(call)")
                call += 1
            }
            #expect(call > 40 && outcomes == [1, 2])
        }
    }

    @Test("Case 83: a first publish that fails anywhere leaves no channel or a whole one")
    func case083_firstPublish() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let release = try release("1.0.0", in: root)
            let channel = root.appending(path: "channel")
            var call = 0
            while true {
                try? FileManager.default.removeItem(at: channel)
                let disk = FailingDisk(failing: call, dies: true)
                _ = try? publish(release, to: channel.path, disk)
                if disk.calls <= call { break }
                if FileManager.default.fileExists(atPath: channel.appending(path: "index.signed").path) {
                    let after = try report(channel.path)
                    #expect(after.faults.isEmpty, "call \(call): \(after.faults.faults)")
                }
                #expect(try publish(release, to: channel.path) == 1, "call \(call)")
                #expect(try report(channel.path).faults.isEmpty && leftovers(channel) == [], "call \(call)")
                call += 1
            }
            #expect(call > 40)
        }
    }
}

import Foundation
import SnpackTestSupport
import Testing

/// What a power cut would find, and what somebody finds who plants names: judged by the system calls.
@Suite(.enabled(if: SystemCalls.canTrace, "needs strace and the right to trace"))
struct DurabilityTests {
    /// Why the calls are not durable: what is not flushed before its rename, and names that are not flushed after it.
    private func gaps(in trace: SystemCalls) -> [String] {
        var gaps: [String] = []
        for (place, call) in trace.calls.enumerated() {
            guard case .rename(let from, let to) = call else { continue }
            let (before, after) = (trace.calls[..<place], trace.calls[(place + 1)...])
            /// Whether `path` was flushed, or all of the file system, after the call at `start`.
            func isFlushed(_ path: String, after start: Int) -> Bool {
                before[start...].contains { $0 == .flush(path: path) || $0 == .flushFileSystem }
            }
            if !isFlushed(from, after: 0) { gaps.append("\(to) is renamed before it is flushed") }
            for (start, earlier) in before.enumerated() {
                switch earlier {
                case .create(let path, _) where path.hasPrefix(from + "/"):
                    if !isFlushed(path, after: start) { gaps.append("\(path) is not flushed before \(to)") }
                case .makeDirectory(let path, _) where path.hasPrefix(from + "/"):
                    if !isFlushed(path, after: start) { gaps.append("directory \(path) is not flushed before \(to)") }
                case .link(let path) where path.hasPrefix(from + "/"):
                    if !isFlushed(path.parentPath, after: start) { gaps.append("link \(path) is not flushed") }
                default: break
                }
            }
            if !after.contains(where: { $0 == .flush(path: to.parentPath) || $0 == .flushFileSystem }) {
                gaps.append("the name \(to) is not flushed")
            }
        }
        return gaps
    }

    private func renamed(in trace: SystemCalls) -> [String] {
        trace.calls.compactMap { if case .rename(_, let to) = $0 { to.lastName } else { nil } }
    }

    @Test("Case 81: publish, install and update flush a file before its rename and the directory after it")
    func case081_orderOfFlushes() throws {
        try PublishedSample.inCopy { journey in
            try journey.buildSmall("1.0.0")
            let published = try SystemCalls.trace(
                ["publish", "build/test/1.0.0", "--channel", "new", "--key", journey.key + ".key", "--state", "state"],
                in: journey.directory)
            #expect(published.result.status == 0, "\(published.result)")
            #expect(gaps(in: published.calls) == [])
            #expect(renamed(in: published.calls).contains("index.signed"))

            for (words, slot) in [
                (["install", "channel", "\(Journey.id)@1.0.0"], "1.0.0"), (["sync", "channel", Journey.id], "1.1.0"),
            ] {
                let (calls, result) = try SystemCalls.trace(journey.storeWords(words), in: journey.directory)
                #expect(result.status == 0, "\(result)")
                #expect(gaps(in: calls) == [])
                let names = renamed(in: calls)
                for name in [slot, "state.json", "manifest.json"] { #expect(names.contains(name), "\(names)") }
                // The mark is there before the version, and the state after it.
                let order = names.filter { ["mark.json", slot, "state.json"].contains($0) }
                #expect(order.suffix(2) == [slot, "state.json"] && order.count { $0 == slot } == 1, "\(order)")
            }
        }
    }

    @Test("Case 57: temporary names are new each time, exclusive, private, and next to their target")
    func case057_temporaryNames() throws {
        try PublishedSample.inCopy { journey in
            let server = try ChannelServer(journey.place("channel"))
            defer { server.stop() }
            var seen: Set<String> = []
            let root = journey.directory.resolvingSymlinksInPath().path
            for store in ["first", "second"] {
                let (trace, result) = try SystemCalls.trace(
                    journey.storeWords(["sync", server.url(), Journey.id], root: store), in: journey.directory)
                #expect(result.status == 0, "\(result)")
                var names: Set<String> = []
                for call in trace.calls {
                    switch call {
                    case .create(let path, let isExclusive):
                        #expect(path.hasPrefix("\(root)/\(store)/"), "made outside the store: \(path)")
                        guard path.lastName.hasPrefix(".snpack-tmp-") else { continue }
                        #expect(isExclusive, "\(path)")
                        names.insert(path.lastName)
                    case .makeDirectory(let path, let mode):
                        #expect(path.hasPrefix("\(root)/\(store)"), "made outside the store: \(path)")
                        guard path.lastName.hasPrefix(".snpack-tmp-") else { continue }
                        #expect(mode == "0700", "\(path)")
                        #expect(path.parentPath.hasSuffix("/territories/\(Journey.id)"))
                        names.insert(path.lastName)
                    default: break
                    }
                }
                #expect(names.count > 3 && names.isDisjoint(with: seen), "\(names)")
                seen.formUnion(names)
            }
        }
    }
}

/// A channel directory behind an honest web server.
private final class ChannelServer {
    private let server: ScriptedServer
    init(_ root: URL) throws {
        server = try ScriptedServer { request in
            guard let data = try? Data(contentsOf: root.appending(path: String(request.path.dropFirst()))) else {
                return .notFound
            }
            return .file(Array(data), for: request)
        }
    }
    func url() -> String { server.url() }
    func stop() { server.stop() }
}

/// Links that somebody planted in a store where snpack keeps its own files.
@Suite struct PlantedNameTests {
    /// Names below the store, and whether an install goes on in spite of a link there.
    private static let planted: [(path: String, installs: Bool)] = [
        ("cache/BLOB.part", true), ("cache/BLOB.table", true), ("territories/test/.snpack-tmp-0123456789abcdef", true),
        (".snpack-tmp-0123456789abcdef", true), ("cache/.snpack-tmp-0123456789abcdef", true),
        ("territories/test/state.json", true), ("channels/main/mark.json", true), ("store.json", true),
        ("territories/test/1.0.0", true), ("locks/test", false), ("cache", false), ("territories", false),
        ("territories/test", false), ("channels", false), ("locks", false),
    ]

    @Test("Case 57: a link at a temporary, cache or state name is never followed", arguments: planted)
    func case057_plantedLinks(_ path: String, _ installs: Bool) throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let journey = try Journey(in: directory)
            try journey.buildSmall("1.0.0")
            try journey.run(
                "publish", "build/test/1.0.0", "--channel", "channel", "--key", journey.key + ".key")
            let server = try ChannelServer(journey.place("channel"))
            defer { server.stop() }
            let manifest = try Data(contentsOf: journey.place("build/test/1.0.0/manifest.json"))
            let layers = (try JSONSerialization.jsonObject(with: manifest) as? [String: Any])?["layers"]
            let blob = ((layers as? [[String: Any]])?.first?["blob"] as? [String: Any])?["blake3"] as? String
            let link = journey.place("store").appending(path: path.replacing("BLOB", with: try #require(blob)))
            for isDirectory in [false, true] {
                let (store, victim) = (journey.place("store"), journey.place("victim"))
                for old in [store, victim] { try? FileManager.default.removeItem(at: old) }
                try FileManager.default.createDirectory(
                    at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
                let kept = isDirectory ? victim.appending(path: "kept") : victim
                if isDirectory {
                    try FileManager.default.createDirectory(at: victim, withIntermediateDirectories: true)
                }
                try Data("victim".utf8).write(to: kept)
                try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim)
                let result = try SnpackProcess.run(
                    journey.storeWords(["sync", server.url(), "test"]), in: directory)
                #expect((result.status == 0) == installs, "\(path), directory \(isDirectory): \(result)")
                #expect([0, 6].contains(result.status), "\(result)")
                #expect(try Data(contentsOf: kept) == Data("victim".utf8))
                if isDirectory {
                    #expect(try FileManager.default.contentsOfDirectory(atPath: victim.path) == ["kept"])
                }
                if installs { try journey.store("verify", "test") }
            }
        }
    }
}

import Foundation
import SnpackTestSupport
import Testing

/// A descriptor that is closed twice may be another thread's by then: its file is read or written by mistake.
@Suite(.enabled(if: SystemCalls.canTrace, "needs strace and the right to trace"))
struct DescriptorTests {
    @Test(
        "what cannot be opened is closed once",
        arguments: [
            ["inspect", "channel/pipe"], ["verify", "channel/pipe", "--factory-key", "keys/factory.pub"],
            ["refresh", "--channel", "channel", "--key", "keys/factory.key", "--valid-for", "30d"],
        ])
    func failedOpensAreClosedOnce(words: [String]) throws {
        try Workshop.withChannel(["1.0.0"]) { shop in
            try #require(mkfifo(shop.url("channel/pipe").path, 0o644) == 0)
            let lock = open(shop.url("channel/.snpack/lock").path, O_RDONLY | O_CLOEXEC)
            defer { close(lock) }
            try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
            let trace = shop.url("trace")
            let result = try SystemTool.run(
                "strace", ["-f", "-e", "trace=close", "-o", trace.path, SnpackProcess.path] + words, in: shop.root,
                seconds: 120)
            #expect(result.status != 0)
            let lines = String(decoding: try Data(contentsOf: trace), as: UTF8.self).split(separator: "\n")
            #expect(lines.contains { $0.contains("close(") })
            #expect(lines.filter { $0.contains("EBADF") } == [], "\(result)")
        }
    }
}

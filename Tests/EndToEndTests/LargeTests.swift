import Foundation
import SnpackTestSupport
import Testing

/// Large files and many files. The largest run only where `SNPACK_LARGE_TESTS` is set.
@Suite(.serialized) struct LargeTests {
    private static let isAsked = ProcessInfo.processInfo.environment["SNPACK_LARGE_TESTS"] != nil

    /// Builds, signs, verifies and unpacks one sparse file of `byteCount` bytes that ends in a few that are not zero.
    private func roundTrip(_ byteCount: Int) throws {
        try Workshop.open { shop in
            try shop.write("big", [])
            #expect(truncate(shop.url("big").path, byteCount - 3) == 0)
            let file = try FileHandle(forWritingTo: shop.url("big"))
            try file.seekToEnd()
            try file.write(contentsOf: Data("end".utf8))
            try file.close()
            try shop.define(layers: #"{"kind": "big", "source": "big"}"#)
            var runs: [(String, MeasuredRun)] = []
            func run(_ words: String...) throws {
                let run = try MeasuredRun(words, in: shop.root)
                #expect(run.status == 0, "\(run)")
                #expect(run.peakByteCount < 150_000_000, "\(words[0]): \(run.peakByteCount)")
                runs.append((words[0], run))
            }
            try run("build", "demo.json", "--version", "1.0.0", "--level", "1")
            try run("sign", "build/demo/1.0.0", "--key", "keys/factory.key")
            try run("verify", "build/demo/1.0.0", "--factory-key", "keys/factory.pub")
            print(byteCount, runs.map { "\($0.0) \($0.1.seconds) s \($0.1.peakByteCount / 1_000_000) MB" })
            // The address is the file's BLAKE3.
            let sum = try SystemTool.run("b3sum", ["--no-names", "big"], in: shop.root, seconds: 300)
            let blob = try #require(shop.files(below: "build/demo/1.0.0").keys.first { $0.hasSuffix("big.tar.zst") })
            #expect(blob.hasPrefix("layers/\(sum.standardOutput.prefix(16))/"))
            // The end of the file is in it, and every other tool finds it there.
            let tail = try SystemTool.run(
                "sh", ["-c", "zstd -qdc \"$0\" | tar -xOf - | tail -c 5 | od -An -c", "build/demo/1.0.0/\(blob)"],
                in: shop.root, seconds: 600)
            #expect(
                tail.standardOutput.split(separator: " ").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
                    == ["\\0", "\\0", "e", "n", "d"], "\(tail)")
            // A flip in the last frame, which holds the last byte.
            var bytes = try shop.read("build/demo/1.0.0/\(blob)")
            let chunks = (byteCount + 512 + (1 << 20) - 1) >> 20
            bytes[bytes.count - 24 - 72 * chunks - 20] ^= 1
            try shop.write("build/demo/1.0.0/\(blob)", bytes)
            #expect(try shop.verify("build/demo/1.0.0").status == 3)
        }
    }

    @Test("Case 47: a layer just beyond 2 GiB")
    func case047_twoGibibytes() throws { try roundTrip(1 << 31 + 10) }

    @Test(
        "Case 47: layers beyond 4 and 8 GiB", .enabled(if: isAsked, "set SNPACK_LARGE_TESTS"),
        arguments: [(1 << 32) + 10, 9 << 30])
    func case047_beyond(byteCount: Int) throws { try roundTrip(byteCount) }

    @Test func aTreeOfTwentyThousandFilesTakesLittleMemory() throws { try tree(20_000) }

    @Test(.enabled(if: isAsked, "set SNPACK_LARGE_TESTS"))
    func aTreeOfTwoHundredThousandFilesTakesLittleMemory() throws { try tree(200_000) }

    private func tree(_ count: Int) throws {
        try Workshop.open { shop in
            let script = """
                import os, sys
                for n in range(int(sys.argv[1])):
                    d = "many/%03d/%03d" % (n // 10000, n // 100 % 100)
                    if n % 100 == 0: os.makedirs(d)
                    with open("%s/%06d.gph" % (d, n), "w") as f: f.write("tile %d\\n" % n * 9)
                """
            #expect(try SystemTool.run("python3", ["-c", script, "\(count)"], in: shop.root, seconds: 300).status == 0)
            try shop.define(layers: #"{"kind": "many", "source": "many"}"#)
            for words in [
                ["build", "demo.json", "--version", "1.0.0", "--level", "3"],
                ["sign", "build/demo/1.0.0", "--key", "keys/factory.key"],
                ["verify", "build/demo/1.0.0", "--factory-key", "keys/factory.pub"],
                ["unpack", "build/demo/1.0.0", "-o", "out", "--factory-key", "keys/factory.pub"],
                ["verify", "out", "--factory-key", "keys/factory.pub"],
            ] {
                let run = try MeasuredRun(words + ["--jobs", "2"], in: shop.root)
                #expect(run.status == 0, "\(run)")
                #expect(run.peakByteCount < 200_000_000, "\(words[0]): \(run.peakByteCount)")
                print(count, "files:", words[0], run.seconds, "s,", run.peakByteCount / 1_000_000, "MB")
            }
            #expect(try SystemTool.run("diff", ["-rq", "many", "out/many"], in: shop.root, seconds: 300).status == 0)
        }
    }
}

import Foundation
import Hashing
import SnpackTestSupport
import Testing

/// The designers' own program as the judge of messages that no table foresaw.
@Suite struct B3sumTests {
    static let b3sum = ["/usr/bin/b3sum", "/usr/local/bin/b3sum"].first(where: FileManager.default.isExecutableFile)

    @Test(.enabled(if: b3sum != nil, "b3sum is not installed")) func agreesWithB3sum() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("agreesWithB3sum: seed \(seed)")
        var random = SplitMix64(state: seed)
        try ProjectFiles.inTemporaryDirectory { directory in
            var files: [String] = []
            var digests: [String] = []
            for largest in [100, 3_000, 3_000, 40_000, 40_000, 300_000, 300_000, 1_500_000] {
                let words = (0...Int.random(in: 0...largest / 8, using: &random)).map { _ in random.next() }
                let message = words.withUnsafeBytes { [UInt8]($0.dropLast(Int(words[0] % 8))) }
                let file = directory.appending(path: "\(files.count)")
                try Data(message).write(to: file)
                files.append(file.path)
                digests.append(Blake3Digest.of(message).hex)
            }
            let judged = try Self.digests(ofFiles: files)
            #expect(judged == digests, "seed \(seed)")
        }
    }

    private static func digests(ofFiles files: [String]) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: try #require(b3sum))
        process.arguments = ["--no-names", "--"] + files
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

import Foundation
import SnpackTestSupport
import Testing

/// The article for operators: its commands, run one after the other as they stand there.
@Suite struct OperatingArticleTests {
    private static let article = ProjectFiles.root.appending(
        path: "Sources/TerritoryFactory/TerritoryFactory.docc/Operating.md")

    @Test func everyCommandOfTheArticleDoesItsWork() throws {
        let article = try String(contentsOf: Self.article, encoding: .utf8)
        let blocks = article.split(separator: "```sh\n").dropFirst().compactMap { block in
            block.firstRange(of: "```").map { block[..<$0.lowerBound] }
        }
        #expect(blocks.count == 7)
        try ProjectFiles.inTemporaryDirectory { root in
            let shop = Workshop(root: root)
            try shop.write("note.txt", "a note")
            try shop.write("tree/b", String(repeating: "b", count: 40_000))
            try shop.define()
            try shop.write("passphrase", "correct horse battery staple")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: shop.url("passphrase").path)
            // Between two blocks, the data changes and the editor's shell is another one.
            for (number, block) in blocks.enumerated() {
                try shop.write("note.txt", "the note of block \(number)\n" + String(repeating: "n", count: 9_000))
                let script = """
                    snpack() { '\(SnpackProcess.path)' "$@"; }
                    set -e; export SNPACK_PASSPHRASE_FILE=passphrase
                    \(block)
                    """
                let result = try SystemTool.run(
                    "bash", ["-c", script], in: root, environment: ["HOME": nil, "XDG_CACHE_HOME": nil], seconds: 60)
                #expect(result.status == 0 && result.standardError == "", "\(block)\(result)")
            }
            #expect(try shop.versions("channel") == ["1.2.0", "1.1.0", "1.0.0"] && shop.latest("channel") == "1.2.0")
            #expect(try shop.versions("channel-2") == shop.versions("channel"))
            #expect(try shop.sequence("mirror") == shop.sequence("channel") - 1)
            #expect(shop.exists("demo.snpkg") && shop.leftovers() == [])
        }
    }
}

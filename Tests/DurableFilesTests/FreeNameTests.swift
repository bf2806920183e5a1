import Diagnostics
import DurableFiles
import Foundation
import SnpackTestSupport
import Testing

@Suite struct FreeNameTests {
    @Test(
        "files and directories get free names, and no others, where the file system has no call for it",
        arguments: [true, false])
    func freeNames(hasLinks: Bool) throws {
        try ProjectFiles.inTemporaryDirectory { url in
            let directory = try Directory.open(url.path, disk: CardDisk(hasLinks: hasLinks))
            try directory.write([1], to: "file", replacing: false)
            #expect(throws: SnpackError.self) { try directory.write([2], to: "file", replacing: false) }
            #expect(try directory.contents(of: "file", limit: 9) == [1])

            for name in ["tree", "other"] {
                let staging = try directory.makeStagingDirectory()
                try staging.contents.write([3], to: "within")
                try staging.promote(to: name)
                #expect(try directory.directory(name).contents(of: "within", limit: 9) == [3])
            }
            let failure = #expect(throws: SnpackError.self) {
                try directory.rename("other", to: "tree", replacing: false)
            }
            #expect(failure?.code.name == "file.exists")
            #expect(throws: SnpackError.self) { try directory.rename("file", to: "tree", replacing: false) }
            #expect(try Set(directory.names()) == ["file", "tree", "other"])
        }
    }
}

import Diagnostics
import TerritoryModel
import Testing

@Suite struct FilePathTests {
    @Test("Case 35: two spellings of one name cannot live in one layer")
    func case035() throws {
        // The decomposed spelling is refused by itself, so it cannot get past the comparison of folded names.
        let error = try fault { _ = try FilePath(parsing: "cafe\u{301}/f") }
        #expect(error.code.name == "file-path.invalid" && error.message.contains("NFC"))
        for (first, second) in [
            ("caf\u{E9}/f", "CAF\u{C9}/f"), ("\u{DF}", "SS"), ("\u{FB01}x", "fix"), ("\u{130}", "i\u{307}"),
            ("\u{3A3}\u{391}", "\u{3C3}\u{3B1}"), ("a/b/c", "a/B"), ("a/b", "a/b/c"),
        ] {
            let paths = [try FilePath(parsing: first), try FilePath(parsing: second)]
            #expect(throws: SnpackError.self, "\(first) \(second)") { try FilePathSet.check(paths) }
            #expect(throws: SnpackError.self, "\(second) \(first)") { try FilePathSet.check(paths.reversed()) }
        }
    }

    @Test("Case 89: a name in decomposed form is refused, in bytes as in text")
    func case089() throws {
        let name = Array("Ko\u{308}ln.db".utf8)
        #expect(try fault { _ = try FilePath(decoding: name) }.message.contains("NFC"))
        #expect(try FilePath(decoding: Array("K\u{F6}ln.db".utf8)).utf8.count == 8)
        #expect(!accepts { _ = try LayerPath(parsing: "Ko\u{308}ln.db") })
    }

    @Test func collisionsNameBothPaths() throws {
        func message(_ paths: String...) throws -> String {
            let parsed = try paths.map { try FilePath(parsing: $0) }
            return try fault { try FilePathSet.check(parsed) }.message
        }
        #expect(try message("d/Tile", "d/tile") == #""d/tile" and "d/Tile" are the same name on some file systems"#)
        #expect(try message("Foo/x", "foo/y") == #""foo" and "Foo" are the same name on some file systems"#)
        #expect(try message("a", "a") == #""a" stands twice"#)
        #expect(try message("a", "a/b") == #""a" is a file and a directory"#)
        #expect(try message("a/b", "a") == #""a" is a file and a directory"#)
    }

    @Test func setGoesOnAfterAFault() throws {
        var set = FilePathSet()
        let paths = try ["a/b", "A/c", "a/d", "a/D", "e"].map { try FilePath(parsing: $0) }
        let refused = paths.filter { path in !accepts { try set.insert(path) } }
        #expect(refused.map(\.rawValue) == ["A/c", "a/D"])
    }

    @Test func refusesBytesThatAreNotUTF8() throws {
        for bytes in [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80]] as [[UInt8]] {
            let error = try fault { _ = try FilePath(decoding: bytes) }
            #expect(error.message.contains("not UTF-8"))
        }
    }

    @Test(arguments: ["CON", "prn.txt", "Aux.a.b", "nUl", "com0", "COM9.x", "lpt5", "a/LPT0.tar", "aux./b"])
    func refusesDeviceNames(_ text: String) {
        #expect(!accepts { _ = try FilePath(parsing: text) })
    }

    @Test(arguments: ["COM", "com10", "comx", "conx", "xcon", "a.con", "lpt", "null", ".a", "...a", "a/-b", "a b", "~"])
    func acceptsWhatOnlyLooksLikeOne(_ text: String) {
        #expect(accepts { _ = try FilePath(parsing: text) })
    }

    @Test func orderIsThatOfBytes() throws {
        let paths = try ["\u{10000}", "\u{FFFD}", "a/b", "a-b", "a.b", "B"].map { try FilePath(parsing: $0) }
        #expect(paths.sorted().map(\.rawValue) == ["B", "a-b", "a.b", "a/b", "\u{FFFD}", "\u{10000}"])
        #expect(try FilePath(parsing: "a/b c/d").segments == ["a", "b c", "d"])
    }

    @Test func largeSetsAreCheckedInOnePass() throws {
        var set = FilePathSet()
        for index in 0..<50_000 {
            try set.insert(FilePath(parsing: "2/\(index / 1_000)/\(index % 1_000).gph"))
        }
        let twin = try FilePath(parsing: "2/37/3.GPH")
        #expect(throws: SnpackError.self) { try set.insert(twin) }
    }
}

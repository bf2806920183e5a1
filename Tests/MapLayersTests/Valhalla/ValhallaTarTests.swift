import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import Testing

@Suite struct ValhallaTarTests {
    private func archive() throws -> [UInt8] { try MemoryLayer(sample: "v1/valhalla-tar")["tiles.tar"] }

    private func facts(_ change: (inout [UInt8]) -> Void = { _ in }) throws -> LayerFacts {
        var bytes = try archive()
        change(&bytes)
        return try ValhallaTarUnpack.facts(of: MemoryFile(bytes, name: "tiles.tar"))
    }

    /// Writes the right checksum into the tar header at `offset`.
    private func seal(_ bytes: inout [UInt8], at offset: Int) {
        bytes.replaceSubrange(offset + 148..<offset + 156, with: [UInt8](repeating: 0x20, count: 8))
        let sum = bytes[offset..<offset + 512].reduce(0) { $0 + Int($1) }
        let octal = String(sum, radix: 8)
        let text = String(repeating: "0", count: 6 - octal.utf8.count) + octal
        bytes.replaceSubrange(offset + 148..<offset + 156, with: Array(text.utf8) + [0, 0x20])
    }

    private func rename(_ bytes: inout [UInt8], at offset: Int, to name: String) {
        bytes.replaceSubrange(
            offset..<offset + 100, with: Array(name.utf8) + [UInt8](repeating: 0, count: 100 - name.utf8.count))
        seal(&bytes, at: offset)
    }

    /// The offset of the first tile's tar header: after index.bin's header and its one block.
    private let firstTile = 1024 + 1024

    @Test func unpacksToTheSameTree() throws {
        try ProjectFiles.inTemporaryDirectory { url in
            let outcome = try ValhallaTarUnpack.unpack(
                ProjectFiles.sample.appending(path: "v1/valhalla-tar/tiles.tar").path, into: Directory.open(url.path))
            #expect(outcome.tileCount == 5 && outcome.byteCount == 1_000_816 && outcome.warnings.isEmpty)
            let (unpacked, sample) = (try MemoryLayer(reading: url), try MemoryLayer(sample: "v1/valhalla"))
            #expect(unpacked.contents == sample.contents)
        }
    }

    @Test func factsOfArchiveAreThoseOfTheTree() throws {
        let facts = try facts()
        let tree = try ValhallaCheck.facts(of: MemoryLayer(sample: "v1/valhalla"))
        #expect(facts.faultLines.isEmpty && facts.warnings.isEmpty)
        #expect(facts.meta == tree.meta && facts.coverage == tree.coverage)
    }

    @Test func refusesIndexThatContradictsMembers() throws {
        // The entries of index.bin begin at 512: offset, id, size.
        #expect(try facts { $0.put(UInt64(3072), at: 512) }.faultCodes == ["valhalla.tar-index"])
        #expect(try facts { $0.put(UInt64.max, at: 512) }.faultCodes == ["valhalla.tar-index"])
        #expect(try facts { $0.put(UInt32(5), at: 524) }.faultCodes == ["valhalla.tar-index"])
        #expect(try facts { $0.put(UInt32(24848), at: 520) }.faultCodes == ["valhalla.tar-index"])
        #expect(try facts { $0.put(UInt32.max, at: 520) }.faultCodes == ["valhalla.tar-index"])
    }

    @Test func warnsWithoutIndex() throws {
        let facts = try facts { $0.removeSubrange(0..<1024) }
        #expect(facts.faultLines.isEmpty && facts.warningCodes == ["valhalla.tar-no-index"])
    }

    @Test(arguments: ["../107.gph", "/0/003/107.gph", "notes.txt", "0/003/107.gph/x", "0/003/é.gph", ""])
    func refusesForeignMembers(name: String) throws {
        let facts = try facts { rename(&$0, at: 2048, to: name) }
        #expect(
            facts.faultCodes.isSuperset(of: ["valhalla.tar-member"]) || facts.faultCodes == ["valhalla.tar-malformed"])
    }

    @Test(arguments: [UInt8(ascii: "1"), UInt8(ascii: "2"), UInt8(ascii: "3"), UInt8(ascii: "6")])
    func refusesLinksAndDevices(type: UInt8) throws {
        let facts = try facts {
            $0[2048 + 156] = type
            $0[2048 + 157] = UInt8(ascii: "x")
            seal(&$0, at: 2048)
        }
        #expect(!facts.faultCodes.isDisjoint(with: ["valhalla.tar-member", "valhalla.tar-malformed"]))
    }

    @Test func refusesRepeatedMember() throws {
        let facts = try facts {
            let member = $0[2048..<2048 + 512 + 52736]
            $0.insert(contentsOf: member, at: 2048 + 512 + 52736)
        }
        #expect(facts.faultCodes.isSuperset(of: ["valhalla.tar-duplicate"]))
    }

    @Test func refusesWhatIsNoPlainTar() throws {
        #expect(try facts { $0.removeSubrange(400_000...) }.faultCodes.isSuperset(of: ["valhalla.tar-malformed"]))
        #expect(try facts { $0 = Array("not a tar".utf8) }.faultCodes.isSuperset(of: ["valhalla.tar-malformed"]))
        #expect(try facts { $0 = [] }.faultCodes.isSuperset(of: ["valhalla.no-tiles"]))
        #expect(try facts { $0[2048] ^= 0xFF }.faultCodes.isSuperset(of: ["valhalla.tar-malformed"]))
    }

    @Test func unpackRefusesAllFaultsAtOnce() throws {
        try ProjectFiles.inTemporaryDirectory { url in
            var bytes = try archive()
            rename(&bytes, at: 2048, to: "a.txt")
            let path = url.appending(path: "tiles.tar")
            try Data(bytes).write(to: path)
            let error = #expect(throws: SnpackError.self) {
                try ValhallaTarUnpack.unpack(path.path, into: Directory.create(url.appending(path: "out").path))
            }
            #expect(error?.details.map(\.code.name) == ["valhalla.tar-member", "valhalla.tar-index"])
        }
    }

    @Test func survivesRandomlyFlippedHeadersAndIndex() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        // A small archive of the same shape: index, then tiles cut to their headers.
        let small = try smallArchive()
        #expect(try ValhallaTarUnpack.facts(of: MemoryFile(small)).faultLines.isEmpty)
        var refused = 0
        for _ in FuzzRounds(10_000) {
            var bytes = small
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let offset = Int.random(in: 0..<bytes.count, using: &random)
                bytes[offset] ^= UInt8.random(in: 1...255, using: &random)
                let header = offset / 512 * 512
                if Bool.random(using: &random), header != 512 { seal(&bytes, at: header) }
            }
            if try !ValhallaTarUnpack.facts(of: MemoryFile(bytes)).faults.isEmpty { refused += 1 }
        }
        #expect(refused > 1_000)
    }

    private func smallArchive() throws -> [UInt8] {
        let archive = try archive()
        var small = Array(archive[..<1024])
        for (entry, start) in zip(stride(from: 512, to: 592, by: 16), [2048, 56320, 145_408, 224_768, 994_304]) {
            var header = Array(archive[start..<start + 512])
            header.replaceSubrange(124..<136, with: Array("00000000420\0".utf8))
            seal(&header, at: 0)
            small.put(UInt64(small.count + 512), at: entry)
            small.put(UInt32(272), at: entry + 12)
            var tile = Array(archive[start + 512..<start + 1024])
            tile.replaceSubrange(272..., with: [UInt8](repeating: 0, count: 240))
            tile.put(UInt32(272), at: 224)
            small += header + tile
        }
        return small + [UInt8](repeating: 0, count: 1024)
    }
}

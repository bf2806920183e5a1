import MapLayers
import TerritoryModel
import Testing

@Suite struct ValhallaTileTests {
    @Test(arguments: [
        ("0/003/016.gph", 0, 3016, 4.0, 42.0), ("1/048/067.gph", 1, 48067, 7.0, 43.0),
        ("2/000/769/709.gph", 2, 769_709, 7.25, 43.5), ("2/000/000/000.gph", 2, 0, -180, -90),
        ("2/001/036/799.gph", 2, 1_036_799, 179.75, 89.75), ("3/000/769/709.gph", 3, 769_709, 7.25, 43.5),
    ])
    func knowsPathAndCorner(path: String, level: Int, index: UInt32, west: Double, south: Double) throws {
        let id = try #require(ValhallaTileID(path: path.utf8))
        #expect(id.level == level && id.index == index)
        #expect(id.west == west && id.south == south)
        #expect(id.path == path)
        #expect(ValhallaTileID(graphID: UInt64(id.packed)) == id)
        #expect(ValhallaTileID(graphID: UInt64(id.packed) | 0xFFFF_FFFF_FE00_0000) == id)
    }

    @Test(arguments: [
        "", "2", "2/", "2/000/769/709", "2/000/769/709.gph.gz", "2/000/769/709.GPH", "2/769/709.gph",
        "0/000/003/016.gph",
        "4/000/769/709.gph", "2/000/769/70.gph", "2//769/709.gph", "/2/000/769/709.gph", "./2/000/769/709.gph",
        "0/004/050.gph", "1/064/800.gph", "2/001/036/800.gph", "2/000/769/709.gph/", "2/000/769/7x9.gph",
        "9/999/999/999.gph", "0/003/०16.gph",
    ])
    func refusesWhatIsNoTilePath(path: String) { #expect(ValhallaTileID(path: path.utf8) == nil) }

    @Test func readsHeaderOfRealTile() throws {
        let bytes = try MemoryLayer(sample: "v1/valhalla")["2/000/789/878.gph"]
        let header = try #require(ValhallaTileHeader(bytes))
        #expect(header.tileID?.path == "2/000/789/878.gph")
        #expect(header.version == "3.9.1" && header.engineVersion == "3.9.1")
        #expect(header.datasetID == 17_205_512 && header.buildID == 54380)
        #expect(header.tileHash == 0x0188_C232_8D18 && header.tileByteCount == 767_784)
        #expect(ValhallaTileHeader(Array(bytes.prefix(271))) == nil)
    }

    @Test(arguments: [
        ("3.9.1", "3.9.1"), ("3.5.1-d377c8a", "3.5.1"), ("3.9", nil), ("3.09.1", nil), ("a.b.c", nil), ("3.9.1.2", nil),
        ("3..1", nil),
    ])
    func engineVersionIsThreeNumbers(text: String, expected: String?) throws {
        var bytes = [UInt8](repeating: 0, count: 272)
        bytes.replaceSubrange(16..<16 + text.utf8.count, with: text.utf8)
        #expect(try #require(ValhallaTileHeader(bytes)).engineVersion == expected)
    }

    @Test func coverageCrossesAntimeridianWhereShorter() throws {
        func tile(_ column: Int, _ row: Int) throws -> ValhallaTileID {
            try #require(ValhallaTileID(level: 2, index: UInt32(row * 1440 + column)))
        }
        let fiji = try #require(ValhallaCoverage.box(of: [tile(0, 288), tile(1, 289), tile(1438, 290)]))
        #expect([fiji.west, fiji.south, fiji.east, fiji.north] == [179.5, -18, -179.5, -17.25])
        let all = try #require(ValhallaCoverage.box(of: (0..<1440).map { column in try tile(column, 0) }))
        #expect(all.west == -180 && all.east == 180)
        let edge = try #require(ValhallaCoverage.box(of: [tile(1439, 719)]))
        #expect(edge.west == 179.75 && edge.east == 180 && edge.north == 90)
        #expect(ValhallaCoverage.box(of: []) == nil)
    }
}

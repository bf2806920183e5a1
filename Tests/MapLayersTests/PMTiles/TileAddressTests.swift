import MapLayers
import Testing

@Suite struct TileAddressTests {
    @Test func idsHaveTheSpecificationsAnswers() throws {
        let known: [(Int, Int, Int, UInt64)] = [
            (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
            (12, 3423, 1763, 19_078_479),
        ]
        for (zoom, x, y, id) in known {
            let address = try #require(TileAddress(zoom: zoom, column: x, row: y))
            #expect(address.id == id)
            #expect(TileAddress(id: id) == address)
        }
    }

    @Test func everyIDOfLowZoomsRoundTripsAndNeighboursTouch() throws {
        var previous: TileAddress?
        for id in 0..<TileAddress.firstID(ofZoom: 7) {
            let address = try #require(TileAddress(id: id))
            #expect(address.id == id)
            if let previous, previous.zoom == address.zoom {
                let distance =
                    abs(Int(previous.column) - Int(address.column)) + abs(Int(previous.row) - Int(address.row))
                #expect(distance == 1)
            }
            previous = address
        }
    }

    @Test func idsGoToZoom31AndNoFurther() throws {
        let side = UInt64(1) << 31
        let corners: [(UInt64, UInt64)] = [(0, 0), (side - 1, 0), (side - 1, side - 1), (0, side - 1)]
        for (x, y) in corners {
            let address = try #require(TileAddress(zoom: 31, column: x, row: y))
            #expect(TileAddress(id: address.id) == address)
        }
        #expect(TileAddress.ids.upperBound == 6_148_914_691_236_517_205)
        #expect(TileAddress(id: TileAddress.ids.upperBound - 1)?.zoom == 31)
        #expect(TileAddress(id: TileAddress.ids.upperBound) == nil)
        #expect(TileAddress(id: .max) == nil)
        #expect(TileAddress(zoom: 32, column: 0, row: 0) == nil)
        #expect(TileAddress(zoom: 31, column: side, row: 0) == nil)
        #expect(TileAddress(zoom: 3, column: 8, row: 0) == nil)
        #expect(TileAddress(zoom: 3, column: -1, row: 0) == nil)
    }

    @Test func blocksAreTheTilesOfTheirRun() {
        var generator = SystemRandomNumberGenerator()
        let seed = generator.next() & 0xFFFF
        print("blocksAreTheTilesOfTheirRun: seed \(seed)")
        let last = TileAddress.firstID(ofZoom: 6)
        for step in 0..<200 as Range<UInt64> {
            let first = (seed &* 2_654_435_761 &+ step &* 7_919) % last
            let end = min(last, first + 1 + (seed &+ step &* 104_729) % 900)
            var tiles: Set<TileAddress> = []
            TileBlock.covering(first..<end) { block in
                #expect(block.column % block.side == 0 && block.row % block.side == 0)
                for x in block.column..<block.column + block.side {
                    for y in block.row..<block.row + block.side {
                        let (isNew, _) = tiles.insert(TileAddress(zoom: block.zoom, column: x, row: y)!)
                        #expect(isNew)
                    }
                }
            }
            #expect(Set(tiles.map(\.id)) == Set(first..<end))
        }
    }

    @Test func blocksOfAllIDsAreTheWorlds() {
        var count = 0
        TileBlock.covering(0..<UInt64.max) { block in
            #expect(block.order == block.zoom)
            count += 1
        }
        #expect(count == 32)
    }

    @Test func mercatorEdgesAndPoles() {
        #expect(WebMercator.longitude(ofColumn: 0, zoom: 5) == -180)
        #expect(WebMercator.longitude(ofColumn: 32, zoom: 5) == 180)
        #expect(abs(WebMercator.latitude(ofRow: 0, zoom: 0) - 85.0511287798066) < 1e-12)
        #expect(abs(WebMercator.latitude(ofRow: 1, zoom: 0) + 85.0511287798066) < 1e-12)
        #expect(WebMercator.latitude(ofRow: 1, zoom: 1) == 0)
        #expect(WebMercator.y(ofLatitude: 90) < 1e-15)
        #expect(WebMercator.y(ofLatitude: -90) > 1 - 1e-15 && WebMercator.y(ofLatitude: -90) <= 1)
        #expect(WebMercator.y(ofLatitude: 0) == 0.5)
        // Vaduz, at zoom 14
        #expect(Int(WebMercator.x(ofLongitude: 9.5215) * 16_384) == 8_625)
        #expect(Int(WebMercator.y(ofLatitude: 47.141) * 16_384) == 5_753)
    }

    @Test("Case 21: E7 coordinates are rounded, never cut off")
    func case021_roundsCoordinates() throws {
        let box = try #require(E7Box(enclosing: (137.6924403, -10.5, 173.5475895, 20)))
        #expect([box.west, box.east] == [1_376_924_403, 1_735_475_895])
        #expect(E7Box(enclosing: (-102.024217, 0, 1, 1))?.west == -1_020_242_170)
        let fine = try #require(E7Box(enclosing: (-0.00000001, -0.00000009, 0.00000001, 0.00000019)))
        #expect([fine.west, fine.south, fine.east, fine.north] == [-1, -1, 1, 2])
        #expect(E7Box(enclosing: (-181, 0, 1, 1)) == nil)
        #expect(E7Box(enclosing: (.nan, 0, 1, 1)) == nil)
        #expect(E7Box(enclosing: (0, -.infinity, 1, 1)) == nil)
        #expect(E7Box(enclosing: (-214.7483648, 0, 1, 1)) == nil)
    }
}

import Arguments
import Diagnostics
import Testing

@Suite struct ArgumentValuesTests {
    @Test(
        arguments: [
            ("30d", 2_592_000), ("12h", 43_200), ("45m", 2_700), ("90s", 90), ("0s", 0), ("36500d", 3_153_600_000),
        ] as [(String, Int64)])
    func readsDurations(_ text: String, _ seconds: Int64) throws {
        #expect(try parsed("cut", "--bbox=1", "--age", text).duration("age") == .seconds(seconds))
    }

    @Test(arguments: [
        "", "d", "30", "30 d", "-1d", "+1d", "1.5h", "36501d", "99999999999999999999s", "18446744073709551615d", "1w",
        "1d12h", "٣d",
    ])
    func refusesWhatIsNoDuration(_ text: String) {
        #expect(throws: SnpackError.self) { try parsed("cut", "--bbox=1", "--age=" + text).duration("age") }
    }

    @Test func readsWholeNumbersInARange() throws {
        #expect(try parsed("cut", "--bbox=1", "--level", "19").unsignedInteger("level", in: 1...22) == 19)
        #expect(try parsed("cut", "--bbox=1").unsignedInteger("level", in: 1...22) == nil)
        for text in ["0", "23", "-1", "+5", "1e1", "0x10", " 1", "1_0", "18446744073709551616", ""] {
            #expect(throws: SnpackError.self, "\(text)") {
                try parsed("cut", "--bbox=1", "--level=" + text).unsignedInteger("level", in: 1...22)
            }
        }
    }

    @Test func readsSizes() throws {
        let sizes: [(String, UInt64)] = [
            ("0", 0), ("512", 512), ("10MB", 10_000_000), ("64KiB", 65_536), ("3GiB", 3 << 30),
        ]
        for (text, bytes) in sizes {
            #expect(try parsed("cut", "--bbox=1", "--size", text).byteCount("size") == bytes)
        }
        for text in ["", "MB", "10M", "10 MB", "-1", "1.5GB", "18446744073709551615TiB", "99999999999999999999"] {
            #expect(throws: SnpackError.self, "\(text)") {
                try parsed("cut", "--bbox=1", "--size=" + text).byteCount("size")
            }
        }
    }

    @Test(arguments: [
        "", "1", "1,2", "1,2,3", "1,2,3,4,5", "nan,0,1,1", "0x1,0,1,1", "1e1,0,20,1", "inf,0,1,1", "0,0,181,1",
        "0,-91,1,1", "0,1,1,0", "0,1,1,1", " 0,0,1,1", "0,0,1,1,", "0.,0,1,1",
    ])
    func refusesWhatIsNoBox(_ text: String) {
        #expect(throws: SnpackError.self) { try parsed("cut", "--bbox=" + text).box("bbox") }
    }

    @Test func boxesMayCrossTheAntimeridian() throws {
        let box = try parsed("cut", "--bbox", "177,-20,-178,-16").box("bbox")
        #expect(box?.west == 177 && box?.east == -178)
    }

    @Test func refusesCoordinatesInTheWrongOrder() throws {
        let arguments = try parsed("store", "reverse", "a", "151.2,-33.9", "--root=s")
        do throws(SnpackError) {
            _ = try arguments.coordinate("LAT,LON")
            Issue.record("latitude 151 is taken")
        } catch {
            #expect(error.message == "\"151.2,-33.9\" is no value of LAT,LON")
        }
    }

    @Test func readsPairs() throws {
        let pairs = try parsed("cut", "--bbox=1", "--layer", "pmtiles=a=b.pmtiles", "--layer=style=s").pairs("layer")
        #expect(pairs.map(\.key) == ["pmtiles", "style"])
        #expect(pairs.map(\.value) == ["a=b.pmtiles", "s"])
        for text in ["x", "=x", "x="] {
            #expect(throws: SnpackError.self) { try parsed("cut", "--bbox=1", "--layer=" + text).pairs("layer") }
        }
    }
}

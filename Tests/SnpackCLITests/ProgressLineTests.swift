import SnpackCLI
import Testing

@Suite struct ProgressLineTests {
    private func line(_ done: UInt64, of total: UInt64?, after seconds: Double, width: Int = 100) -> String {
        ProgressLine(label: "packing pmtiles", total: total, done: done, seconds: seconds).text(width: width)
    }

    @Test func showsBytesRateAndTimeLeft() {
        #expect(
            line(150_000_000, of: 600_000_000, after: 3)
                == "packing pmtiles  [#####...............] 25 %  150 MB of 600 MB  50 MB/s  9 s left")
    }

    @Test func leavesOutWhatIsNotKnown() {
        #expect(line(1_500, of: nil, after: 2) == "packing pmtiles  1.5 kB  750 B/s")
        #expect(line(0, of: 10, after: 0) == "packing pmtiles  [....................] 0 %  0 B of 10 B")
    }

    @Test(arguments: [0, 1, 10, 20, 45, 60, 80]) func neverWrapsTheLine(_ width: Int) {
        #expect(line(5, of: 10, after: 1, width: width).count <= width)
    }

    @Test func countsThatDoNotFitNeverTrap() {
        for total in [nil, 0, 1, UInt64.max] as [UInt64?] {
            for done in [0, 1, UInt64.max] {
                for seconds in [0, 1e-300, 1, 1e300] { _ = line(done, of: total, after: seconds) }
            }
        }
    }

    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (9_940, "9.9 kB"), (9_950, "10 kB"), (999_499, "999 kB"),
            (999_500, "1.0 MB"), (1_530_000_000, "1.5 GB"), (.max, "18 EB"),
        ] as [(UInt64, String)])
    func tellsBytesInDecimalUnits(_ count: UInt64, _ text: String) {
        #expect(byteText(count) == text)
    }

    @Test(
        arguments: [
            (0.2, "1 s"), (59, "59 s"), (60, "1 min 0 s"), (3_725, "1 h 2 min"), (.infinity, "long"), (.nan, "long"),
        ] as [(Double, String)])
    func tellsSpans(_ seconds: Double, _ text: String) {
        #expect(durationText(seconds) == text)
    }
}

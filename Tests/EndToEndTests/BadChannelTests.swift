import Foundation
import SnpackTestSupport
import Testing

/// The other implementation's channels, good and bad, as the built program judges them.
@Suite struct BadChannelTests {
    private func keys() throws -> [String] {
        [
            "--factory-key", try VectorChannel.key("factory_public"), "--region-key",
            try VectorChannel.key("region_public"),
        ]
    }

    @Test(arguments: VectorChannel.bad)
    func badChannelEndsWithItsStatusAndNamesTheFault(_ channel: VectorChannel) throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let url = directory.appending(path: "channel")
            try channel.lay(out: url)
            let before = try SystemTool.run("find", [".", "-printf", "%p %s %T@\n"], in: directory).standardOutput
            let run = try MeasuredRun(["verify", url.path] + keys())
            #expect(run.status == channel.exit, "\(run)")
            #expect(run.standardOutput == "")
            #expect(run.standardError.contains("snpack: fault: \(url.path)"), "\(run.standardError)")
            #expect(run.peakByteCount < 200_000_000)
            // Two seconds on a quiet machine; this one may be busy.
            #expect(run.seconds < 10)
            let after = try SystemTool.run("find", [".", "-printf", "%p %s %T@\n"], in: directory).standardOutput
            #expect(before == after, "verify changes nothing")
        }
    }

    @Test func goodChannelsAndThePackageVerify() throws {
        for target in [
            VectorChannel.ok, VectorChannel.region, ProjectFiles.vectors.appending(path: "liechtenstein-1.1.0.snpkg"),
        ] {
            let run = try MeasuredRun(["verify", target.path] + keys())
            #expect(run.status == 0 && run.standardError == "", "\(run)")
            #expect(run.standardOutput.contains("verified"))
            #expect(run.peakByteCount < 200_000_000)
        }
    }

    @Test func aShallowLookNeverSaysVerified() throws {
        let run = try MeasuredRun(["verify", VectorChannel.ok.path, "--shallow"] + keys())
        #expect(run.status == 0 && !run.standardOutput.contains("verified"), "\(run)")
    }
}

import Foundation
import SnpackTestSupport
import Testing

/// `verify` and `list` of a channel as its clients see it: on a real web server.
@Suite(.enabled(if: NginxServer.isInstalled, "needs nginx (Debian: nginx-light)"))
struct ServedChannelTests {
    private func key() throws -> String { try VectorChannel.key("factory_public") }

    private func serving(_ body: (URL, NginxServer) throws -> Void) throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let channel = directory.appending(path: "channel")
            try FileManager.default.copyItem(at: VectorChannel.ok, to: channel)
            let server = try NginxServer(root: channel)
            defer { server.stop() }
            try body(channel, server)
        }
    }

    @Test func verifiesAndListsOverHTTP() throws {
        try serving { _, server in
            let verified = try SnpackProcess.run(["verify", server.url("/"), "--factory-key", key()])
            #expect(verified.status == 0, "\(verified)")
            #expect(verified.standardOutput.contains("verified (2 releases, 8 blobs"))
            let listed = try SnpackProcess.run(["list", server.url("")])
            #expect(listed.status == 0 && listed.standardOutput.contains("sequence 7"), "\(listed)")
        }
    }

    @Test func damageOnTheServerIsNamed() throws {
        try serving { channel, server in
            let blob = "territories/liechtenstein/1.1.0/layers/a04006dcaf0d9e80/poi.sqlite.tar.zst"
            let file = channel.appending(path: blob)
            var bytes = [UInt8](try Data(contentsOf: file))
            bytes[bytes.count / 2] ^= 1
            try Data(bytes).write(to: file)
            let damaged = try SnpackProcess.run(["verify", server.url(""), "--factory-key", key()])
            #expect(damaged.status == 3 && damaged.standardError.contains(blob), "\(damaged)")
            #expect(damaged.standardOutput == "")
            let shallow = try SnpackProcess.run(["verify", server.url(""), "--factory-key", key(), "--shallow"])
            #expect(shallow.status == 0 && !shallow.standardOutput.contains("verified"), "\(shallow)")
            try FileManager.default.removeItem(at: file)
            let missing = try SnpackProcess.run(["verify", server.url(""), "--factory-key", key()])
            #expect(missing.status == 3 && missing.standardError.contains(blob), "\(missing)")
        }
    }

    @Test func serverThatIsNotThereIsANetworkError() throws {
        try serving { _, server in
            let url = server.url("")
            server.stop()
            let result = try SnpackProcess.run(["verify", url, "--factory-key", key()])
            #expect(result.status == 7 && result.output.isEmpty, "\(result)")
        }
    }
}

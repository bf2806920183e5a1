import Diagnostics
import DurableFiles
import Foundation
import Signing
import SnpackCLI
import SnpackTestSupport
import Testing

@Suite struct SignDiskFaultTests {
    @Test("sign writes a whole signature or leaves the old one, wherever the disk fails")
    func sign() async throws {
        let release = ProjectFiles.vectors.appending(path: "channel-ok/territories")
        let names = FileManager.default.enumerator(atPath: release.path)?.compactMap { $0 as? String } ?? []
        let manifest = try #require(names.first { $0.hasSuffix("manifest.json") && !$0.contains("region-") })
        let keys = [try SecretKey.generate(role: .factory), try SecretKey.generate(role: .factory)]
        func sign(_ root: URL, _ key: SecretKey, _ disk: any Disk) throws {
            try DocumentFile(at: root.appending(path: "manifest.json").path, disk: disk).sign(with: key)
        }
        try await ProjectFiles.inTemporaryDirectory { root in
            let start = root.appending(path: "start")
            try FileManager.default.createDirectory(at: start, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: release.appending(path: manifest), to: start.appending(path: "manifest.json"))
            try sign(start, keys[0], SystemDisk())
            let bytes = [UInt8](try Data(contentsOf: start.appending(path: "manifest.json")))
            try await FaultMatrix("sign", from: start).run(
                before: "signed by key 0", after: "signed by key 1", leastCallCount: 6,
                act: { try sign($0, keys[1], $1) }
            ) { root in
                let text = try Data(contentsOf: root.appending(path: "manifest.json.sig"))
                let signature = try #require(SignatureText(decoding: [UInt8](text)).signatures.first)
                let signer = keys.firstIndex { $0.publicKey.verifies(signature, bytes) }
                return signer.map { "signed by key \($0)" } ?? "not signed"
            }
        }
    }
}

import Diagnostics
import Foundation
import Signing
import SnpackTestSupport
import Testing

@Suite struct KeyFilePermissionsTests {
    @Test func refusesLinksAndSpecialFilesAndLargeOnes() {
        let check = { (link: Bool, regular: Bool, count: UInt64) in
            code {
                try KeyFilePermissions.checkKind(
                    isSymlink: link, isRegular: regular, byteCount: count, path: "keys/factory.key")
            }
        }
        #expect(check(false, true, 4_096) == nil)
        #expect(check(false, true, 4_097) == "key-file.malformed")
        #expect(check(true, false, 10) == "key-file.exposed")
        #expect(check(false, false, 0) == "key-file.exposed")
    }

    @Test(arguments: [0o600, 0o400, 0o700, 0o100600, 0o000] as [UInt32]) func takesFilesOfTheOwnerAlone(_ mode: UInt32)
        throws
    {
        let key = try SecretKey.generate(role: .factory).publicKey
        try KeyFilePermissions.checkSecrecy(mode: mode, publicKey: key, path: "k")
    }

    @Test(arguments: [0o640, 0o604, 0o644, 0o620, 0o602, 0o610, 0o601, 0o100666] as [UInt32])
    func refusesFilesThatOthersReachAndNamesTheFix(_ mode: UInt32) throws {
        let key = try SecretKey.generate(role: .factory).publicKey
        let error = try #require(
            fault { try KeyFilePermissions.checkSecrecy(mode: mode, publicKey: key, path: "keys/factory.key") })
        #expect(error.code == .keyFileExposed && error.hint == "chmod 600 keys/factory.key")
        #expect(error.message.contains("0\(String(mode & 0o777, radix: 8))"))
    }

    @Test func exampleKeysAreKnownAndTheirFilesHoldThem() throws {
        for role in KeyRole.allCases {
            let directory = ProjectFiles.root.appending(path: "keys-example")
            let bytes = Array(try Data(contentsOf: directory.appending(path: "\(role).key")))
            let file = try KeyFile(decoding: SecretBytes(copying: bytes))
            #expect(file.role == role && !file.isEncrypted)
            #expect(ExampleKeys.isExample(file.publicKey))
            #expect(try file.encoded().copy == bytes)
            let pub = Array(try Data(contentsOf: directory.appending(path: "\(role).pub")))
            #expect(pub == file.publicKey.fileBytes)
            // A checkout gives them mode 0644, and they hold no secret.
            try KeyFilePermissions.checkSecrecy(mode: 0o644, publicKey: file.publicKey, path: "k")
        }
        #expect(ExampleKeys.publicKeyHexes.count == 2)
        #expect(!ExampleKeys.isExample(try SecretKey.generate(role: .factory).publicKey))
    }
}

import Diagnostics
import DurableFiles
import Foundation
import Signing
import SnpackCLI
import SnpackTestSupport
import Testing

@Suite struct SecretFileTests {
    @Test func aDiskWithoutPermissionsGetsNoSecret() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let key = try KeyFile(SecretKey.generate(role: .factory)).encoded()
            let card = try Directory.open(root.path, disk: CardDisk(hasPermissions: false))
            let fault = #expect(throws: SnpackError.self) { _ = try card.stage(key) }
            #expect(fault?.code.name == "key-file.exposed")
            #expect(try card.names() == [])
            let share = try Directory.open(root.path, disk: CardDisk())
            try share.stage(key).commit(as: "factory.key", replacing: false)
            #expect(try share.names() == ["factory.key"])
        }
    }
}

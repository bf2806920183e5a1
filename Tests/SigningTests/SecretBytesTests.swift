import Diagnostics
import Foundation
import Signing
import Testing

@Suite struct SecretBytesTests {
    @Test func wipesWhatItTakesOver() throws {
        var passphrase = Array("correct horse".utf8)
        let secret = try SecretBytes(wiping: &passphrase)
        #expect(passphrase.allSatisfy { $0 == 0 })
        #expect(secret.text == "correct horse")
    }

    @Test func emptySecretIsEmpty() throws {
        #expect(try SecretBytes(count: 0) { _ in }.copy.isEmpty)
        #expect(try SecretBytes(copying: []).count == 0)
    }

    /// Each takes several mappings of its own, so a leak shows in their number.
    @Test(.enabled(if: mappingCount() != nil, "needs /proc/self/maps"))
    func memoryIsGivenBackEvenWhenFillingFails() throws {
        let failure = SnpackError(.passphraseWrong, "no")
        let before = try #require(mappingCount())
        for round in 0..<2_000 {
            let error = fault {
                _ = try SecretBytes(count: 32) { bytes throws(SnpackError) in
                    if round.isMultiple(of: 2) { throw failure }
                    bytes[0] = 1
                }
            }
            #expect(error == (round.isMultiple(of: 2) ? failure : nil))
        }
        #expect(try #require(mappingCount()) < before + 1_000)
    }
}

/// Read by a handle to its end: the file says that it has no bytes, and reading by its size gives the first few lines.
private func mappingCount() -> Int? {
    guard let handle = FileHandle(forReadingAtPath: "/proc/self/maps") else { return nil }
    return handle.readDataToEndOfFile().count { $0 == 0x0A }
}

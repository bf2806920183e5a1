import Diagnostics
import DurableFiles
import Foundation
import SnpackTestSupport
import Testing

@Suite struct NewFileTests {
    @Test func aFileThatIsNotMadeIsClosedOnce() throws {
        try ProjectFiles.inTemporaryDirectory { url in
            let disk = FaultyDisk(.fails(EACCES), at: 1)
            let directory = try Directory.open(url.path, disk: disk)
            #expect(throws: SnpackError.self) { try NewFile("a", in: directory, mode: 0o644) }
            // Opened, refused its mode, closed: a second close would be a fourth call.
            #expect(disk.callCount == 3)
        }
    }
}

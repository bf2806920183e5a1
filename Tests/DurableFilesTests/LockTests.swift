import Diagnostics
import DurableFiles
import Foundation
import SnpackTestSupport
import Testing

@Suite struct LockTests {
    @Test func secondLockIsBusyUntilFirstEnds() throws {
        try ProjectFiles.inTemporaryDirectory { url in
            let directory = try Directory.open(url.path)
            var first: FileLock? = try FileLock("lock", in: directory)
            #expect(throws: SnpackError.self) { _ = try FileLock("lock", in: directory) }
            #expect(first != nil)
            first = nil
            _ = try FileLock("lock", in: directory)
        }
    }

    @Test func leaseOfPromotedDirectoryIsFreeWhileItsMakerLives() throws {
        try ProjectFiles.inTemporaryDirectory { url in
            let directory = try Directory.open(url.path)
            let staging = try directory.makeStagingDirectory()
            try staging.promote(to: "made")
            let lease = try DirectoryLease(on: "made", in: directory)
            #expect(lease != nil)
            let wasFree = try DirectoryLease.whileFree("made", in: directory) {}
            #expect(!wasFree, "a reader has a claim")
            withExtendedLifetime((staging, lease)) {}
        }
    }

    @Test func leftoversOfLivingWriterStay() throws {
        try ProjectFiles.inTemporaryDirectory { url in
            let directory = try Directory.open(url.path)
            let living = try directory.makeStagingDirectory()
            let dead = TemporaryName.make()
            _ = try directory.makeDirectory(dead)
            try directory.removeLeftovers()
            let names = try directory.names()
            #expect(names.count == 1 && !names.contains(dead), "\(names)")
            withExtendedLifetime(living) {}
        }
    }
}

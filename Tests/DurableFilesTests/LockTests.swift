import Diagnostics
import DurableFiles
import Foundation
import SnpackTestSupport
import Synchronization
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

    @Test("nothing in the making is taken for a leftover, not even before it is locked")
    func cleanersAndWriters() throws {
        try ProjectFiles.inTemporaryDirectory { url in
            let directory = try Directory.open(url.path)
            let (isDone, losses) = (CancelToken(), LossLog())
            let (writers, cleaners) = (DispatchGroup(), DispatchGroup())
            for isTree in [false, true] {
                Self.thread(in: writers) {
                    for _ in 0..<1_000 {
                        do throws(SnpackError) {
                            if isTree {
                                let staging = try directory.makeStagingDirectory()
                                _ = try staging.contents.makeDirectory("inside")
                                withExtendedLifetime(staging) {}
                            } else {
                                _ = try StagedFile(in: directory).reader()
                            }
                        } catch { losses.add(error) }
                    }
                }
                Self.thread(in: cleaners) { while !isDone.isCancelled { try? directory.removeLeftovers() } }
            }
            writers.wait()
            isDone.cancel()
            cleaners.wait()
            #expect(losses.all.isEmpty)
            #expect(try directory.names().isEmpty)
        }
    }

    private static func thread(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        Thread.detachNewThread {
            body()
            group.leave()
        }
    }

    private final class LossLog: Sendable {
        private let errors = Mutex<[SnpackError]>([])
        var all: [SnpackError] { errors.withLock { $0 } }
        func add(_ error: SnpackError) { errors.withLock { $0.append(error) } }
    }
}

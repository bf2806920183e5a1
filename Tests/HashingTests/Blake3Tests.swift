import Hashing
import Testing

@Suite struct Blake3Tests {
    @Test func plainIntegersAreAlwaysThere() {
        #expect(Blake3Implementation.supported.first == .portable)
        #expect(Blake3Implementation.supported.contains(.fastest))
        print("BLAKE3 implementations under test: \(Blake3Implementation.supported)")
    }

    @Test(arguments: Blake3Implementation.supported)
    func digestOfAWholeMessageIsKnown(_ implementation: Blake3Implementation) {
        for (byteCount, hex) in KnownAnswers.digests {
            KnownAnswers.message(byteCount: byteCount).withUnsafeBytes { message in
                #expect(
                    Blake3Digest.of(message, threads: 1, by: implementation).hex == hex,
                    "\(byteCount) bytes in memory")
                var hasher = Blake3Hasher(by: implementation)
                hasher.update(message)
                #expect(hasher.finalize().hex == hex, "\(byteCount) bytes in one piece")
            }
        }
    }

    @Test(arguments: Blake3Implementation.supported)
    func threadsDoNotMatter(_ implementation: Blake3Implementation) {
        for (byteCount, hex) in KnownAnswers.digests where byteCount > 1_000_000 {
            KnownAnswers.message(byteCount: byteCount).withUnsafeBytes { message in
                for threads in [2, 3, 8] {
                    let digest = Blake3Digest.of(message, threads: threads, by: implementation)
                    #expect(digest.hex == hex, "\(byteCount) bytes by \(threads) threads")
                }
            }
        }
    }

    /// A message that is cut into the most pieces there may be, and one that is too long for pieces of that size.
    @Test(arguments: [257 * 128 << 10, 257 * 128 << 10 | 1])
    func threadsDoNotMatterToLongMessages(byteCount: Int) {
        let period = [UInt8](KnownAnswers.message(byteCount: 251 * 4_000))
        var hasher = Blake3Hasher()
        let message = [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, initialized in
            while initialized < byteCount {
                let piece = period.prefix(byteCount - initialized)
                _ = bytes[initialized...].initialize(fromContentsOf: piece)
                initialized += piece.count
                hasher.update([UInt8](piece))
            }
        }
        let digest = message.withUnsafeBytes { Blake3Digest.of($0, threads: 3) }
        #expect(digest == hasher.finalize())
    }

    @Test func anyNumberOfThreadsWillDo() {
        for (byteCount, hex) in KnownAnswers.digests where [0, 1, 1_024, 1_048_577, 3_145_735].contains(byteCount) {
            KnownAnswers.message(byteCount: byteCount).withUnsafeBytes { message in
                for threads in [Int.min, -1, 0, 1, 64, 1_000_000, Int.max] {
                    #expect(Blake3Digest.of(message, threads: threads).hex == hex, "\(byteCount) bytes, \(threads)")
                }
            }
        }
    }

    @Test(arguments: Blake3Implementation.supported)
    func piecesDoNotMatter(_ implementation: Blake3Implementation) {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("piecesDoNotMatter, \(implementation): seed \(seed)")
        var random = SplitMix64(state: seed)
        for (byteCount, hex) in KnownAnswers.digests {
            // About as many tiny pieces as large ones, empty ones among them.
            let largest = [3, 100, 2_000, 140_000, 600_000].filter { byteCount / $0 < 20_000 }
            for limit in largest {
                let digest = Self.digest(of: KnownAnswers.message(byteCount: byteCount), by: implementation) {
                    Int.random(in: 0...limit, using: &random)
                }
                #expect(digest.hex == hex, "\(byteCount) bytes in pieces of up to \(limit), seed \(seed)")
            }
        }
    }

    @Test(arguments: Blake3Implementation.supported)
    func byteByByteIsTheSame(_ implementation: Blake3Implementation) {
        for (byteCount, hex) in KnownAnswers.digests where byteCount <= 20_000 {
            let digest = Self.digest(of: KnownAnswers.message(byteCount: byteCount), by: implementation) { 1 }
            #expect(digest.hex == hex, "\(byteCount) bytes one by one")
        }
    }

    /// Every known length on the way to the longest is asked of one and the same hasher.
    @Test(arguments: Blake3Implementation.supported)
    func asksInBetweenLeaveTheHasherAsItWas(_ implementation: Blake3Implementation) {
        var hasher = Blake3Hasher(by: implementation)
        var done = 0
        for (byteCount, hex) in KnownAnswers.digests {
            hasher.update([UInt8](KnownAnswers.message(byteCount: byteCount)[done...]))
            done = byteCount
            #expect(hasher.finalize().hex == hex, "after \(byteCount) bytes")
            #expect(hasher.finalize().hex == hex, "again after \(byteCount) bytes")
        }
    }

    @Test func anyAddressWillDo() {
        let digests = (0..<65).map { offset in
            let bytes = [UInt8](repeating: 0, count: offset) + KnownAnswers.message(byteCount: 17_409)
            return bytes.withUnsafeBytes { Blake3Digest.of(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
        }
        #expect(Set(digests).count == 1)
        #expect(KnownAnswers.digests.contains { $0.byteCount == 17_409 && $0.hex == digests[0].hex })
    }

    private static func digest(
        of message: ArraySlice<UInt8>, by implementation: Blake3Implementation, pieceLength: () -> Int
    ) -> Blake3Digest {
        var hasher = Blake3Hasher(by: implementation)
        message.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(pieceLength())
                hasher.update(UnsafeRawBufferPointer(rebasing: piece))
                rest = rest.dropFirst(piece.count)
            }
        }
        return hasher.finalize()
    }
}

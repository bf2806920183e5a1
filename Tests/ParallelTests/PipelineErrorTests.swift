import Diagnostics
import Parallel
import Synchronization
import Testing

@Suite struct PipelineErrorTests {
    private let odd = SnpackError(ErrorCode("test.odd", .other), "odd")

    @Test(arguments: [1, 3])
    func errorsOfTheEndsEndItToo(jobs: Int) {
        let odd = odd
        #expect(throws: odd) {
            try orderedPipeline(
                jobs: jobs, produce: { () throws(SnpackError) -> Int? in throw odd },
                transform: { number throws(SnpackError) in number }, consume: { _ throws(SnpackError) in })
        }
        #expect(throws: odd) {
            try orderedPipeline(
                jobs: jobs, produce: { () throws(SnpackError) -> Int? in 1 },
                transform: { number throws(SnpackError) in number }, consume: { _ throws(SnpackError) in throw odd })
        }
    }

    @Test func mapKeepsTheOrderAndTriesEveryElement() {
        #expect(parallelMap(Array(0..<1_000), jobs: 4) { $0 * 2 } == (0..<1_000).map { $0 * 2 })
        #expect(parallelMap([Int](), jobs: 4) { $0 }.isEmpty)
    }

    @Test func aPoolLendsAResourceToOneThreadAtATime() {
        final class Counter: Sendable {
            let users = Mutex(0)
        }
        let made = Mutex(0)
        let pool = ResourcePool { () throws(SnpackError) in
            made.withLock { $0 += 1 }
            return Counter()
        }
        let alone = parallelMap(Array(0..<200), jobs: 4) { _ in
            try? pool.with { counter throws(SnpackError) in
                let before = counter.users.withLock { users in
                    users += 1
                    return users
                }
                counter.users.withLock { $0 -= 1 }
                return before == 1
            }
        }
        #expect(alone.allSatisfy { $0 == true })
        #expect(made.withLock { $0 } <= 4)
    }
}

import Diagnostics
import Parallel
import Synchronization
import Testing

@Suite struct OrderedPipelineTests {
    /// What is being worked on or waits to be consumed.
    private final class Flight: Sendable {
        private let state = Mutex((weight: 0, highest: 0))

        func add(_ weight: Int) {
            state.withLock {
                $0.weight += weight
                $0.highest = max($0.highest, $0.weight)
            }
        }
        var highest: Int { state.withLock(\.highest) }
    }

    @Test(arguments: [.max, 1 << 62, 1_025, 3, 0, -1, .min])
    func anyNumberOfJobsIsOneThatCanBe(jobs: Int) {
        let context = WorkContext(jobs: jobs)
        #expect((1...1_024).contains(context.jobs))
        #expect(parallelMap(Array(0..<5_000), jobs: context.jobs) { $0 + 1 } == Array(1...5_000))
    }

    @Test(arguments: [1, 2, 3, 8])
    func outputsKeepTheOrderOfInputs(jobs: Int) throws {
        var next = 0
        var outputs: [Int] = []
        try orderedPipeline(
            jobs: jobs,
            produce: { () throws(SnpackError) -> Int? in
                next += 1
                return next <= 500 ? next : nil
            },
            transform: { input throws(SnpackError) in input * 2 },
            consume: { output throws(SnpackError) in outputs.append(output) })
        #expect(outputs == (1...500).map { $0 * 2 })
    }

    @Test(arguments: [1, 2, 8])
    func whatIsInFlightWeighsNoMoreThanTheLimit(jobs: Int) throws {
        let flight = Flight()
        let weights = [10, 48, 1, 1, 48, 48, 48, 3, 100, 2, 48, 48, 1]
        var next = 0
        var outputs: [Int] = []
        try orderedPipeline(
            jobs: jobs,
            weightLimit: 100,
            weight: { $0 },
            produce: { () throws(SnpackError) -> Int? in
                guard next < weights.count else { return nil }
                next += 1
                return weights[next - 1]
            },
            transform: { weight throws(SnpackError) in
                flight.add(weight)
                return weight
            },
            consume: { weight throws(SnpackError) in
                flight.add(-weight)
                outputs.append(weight)
            })
        #expect(outputs == weights)
        #expect(flight.highest <= 100)
    }

    @Test func oneInputMayWeighMoreThanTheLimit() throws {
        var weights = [5, 500, 5]
        var outputs: [Int] = []
        try orderedPipeline(
            jobs: 4,
            weightLimit: 100,
            weight: { $0 },
            produce: { () throws(SnpackError) -> Int? in weights.popLast() },
            transform: { weight throws(SnpackError) in weight },
            consume: { weight throws(SnpackError) in outputs.append(weight) })
        #expect(outputs == [5, 500, 5])
    }

    @Test(arguments: [1, 4])
    func firstErrorInInputOrderEndsTheWork(jobs: Int) {
        var next = 0
        var outputs: [Int] = []
        let error = #expect(throws: SnpackError.self) {
            try orderedPipeline(
                jobs: jobs,
                produce: { () throws(SnpackError) -> Int? in
                    next += 1
                    return next <= 100 ? next : nil
                },
                transform: { input throws(SnpackError) -> Int in
                    if input == 7 || input == 9 { throw SnpackError(.interrupted, "at \(input)") }
                    return input
                },
                consume: { output throws(SnpackError) in outputs.append(output) })
        }
        #expect(error?.message == "at 7")
        #expect(outputs == Array(1...6))
    }
}

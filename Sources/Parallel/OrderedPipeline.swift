package import Diagnostics
import Dispatch

/// Maps inputs on up to `jobs` threads and hands the outputs over in the order of the inputs.
///
/// `produce` and `consume` run on the calling thread and take turns, so neither needs a lock; only `transform` runs
/// elsewhere. At most `2 · jobs` inputs are in flight, which bounds the memory. With one job everything runs here.
/// The first error, in input order, ends the work after what is in flight has finished.
///
/// - Parameters:
///   - weightLimit: what the inputs in flight may weigh together; one alone may weigh more. Bounds the memory where
///     inputs differ much.
///   - weight: of an input, until its output is consumed.
///   - produce: the next input, or nil at the end.
package func orderedPipeline<Input: Sendable, Output: Sendable>(
    jobs: Int,
    weightLimit: Int = .max,
    weight: (Input) -> Int = { _ in 0 },
    produce: () throws(SnpackError) -> Input?,
    transform: @escaping @Sendable (Input) throws(SnpackError) -> Output,
    consume: (Output) throws(SnpackError) -> Void
) throws(SnpackError) {
    guard jobs > 1 else {
        while let input = try produce() { try consume(transform(input)) }
        return
    }
    let queue = DispatchQueue.global(qos: .userInitiated)
    let limit = 2 * jobs
    let running = DispatchSemaphore(value: jobs)
    var slots: [Slot<Output>] = []
    slots.reserveCapacity(limit)
    var oldest = 0
    var inFlight = 0
    defer { for slot in slots[oldest...] { slot.wait() } }

    func takeOldest() throws(SnpackError) {
        let slot = slots[oldest]
        oldest += 1
        slot.wait()
        if oldest >= limit {
            slots.removeFirst(oldest)
            oldest = 0
        }
        inFlight -= slot.weight
        try consume(slot.output())
    }

    while let input = try produce() {
        let slot = Slot<Output>(weight: weight(input))
        while oldest < slots.count, slot.weight > weightLimit - inFlight { try takeOldest() }
        inFlight += slot.weight
        slots.append(slot)
        queue.async {
            running.wait()
            slot.fill { () throws(SnpackError) in try transform(input) }
            running.signal()
        }
        if slots.count - oldest >= limit { try takeOldest() }
    }
    while oldest < slots.count { try takeOldest() }
}

/// Runs `body` for each element on up to `jobs` threads; every element is tried, and the results keep their order.
package func parallelMap<Element: Sendable, Output: Sendable>(
    _ elements: [Element], jobs: Int, _ body: @escaping @Sendable (Element) -> Output
) -> [Output] {
    var iterator = elements.makeIterator()
    var outputs: [Output] = []
    outputs.reserveCapacity(elements.count)
    // Nothing in here throws, so the pipeline cannot either.
    try? orderedPipeline(
        jobs: jobs, produce: { () throws(SnpackError) in iterator.next() },
        transform: { element throws(SnpackError) in body(element) },
        consume: { output throws(SnpackError) in outputs.append(output) })
    return outputs
}

/// One output on its way from a worker to the consumer. Written once before `done` is signalled, read after.
private final class Slot<Output: Sendable>: @unchecked Sendable {
    let weight: Int
    private let done = DispatchSemaphore(value: 0)
    private var result: Result<Output, SnpackError>?
    private var waited = false

    init(weight: Int) { self.weight = weight }

    func fill(_ body: () throws(SnpackError) -> Output) {
        do throws(SnpackError) { result = .success(try body()) } catch { result = .failure(error) }
        done.signal()
    }

    func wait() {
        guard !waited else { return }
        done.wait()
        waited = true
    }

    func output() throws(SnpackError) -> Output {
        guard let result else { preconditionFailure("read before it was filled") }
        self.result = nil
        return try result.get()
    }
}

// What ThreadSanitizer must and must not report, so that its silence about the tests means something.
//   race-probe guarded   threads add up under a Mutex that they wait for: no report
//   race-probe bare      each also adds once without it: a report

import Foundation
import Synchronization

private final class Counter: @unchecked Sendable {
    let lock = Mutex(())
    var guarded = 0
    var bare = 0
}

private let isBare = CommandLine.arguments.dropFirst() == ["bare"]
private let (threads, rounds) = (4, 50)
private let counter = Counter()
private let group = DispatchGroup()
for _ in 0..<threads {
    group.enter()
    Thread.detachNewThread {
        for _ in 0..<rounds {
            counter.lock.withLock { _ in
                counter.guarded += 1
                usleep(500)
            }
        }
        // Nothing that any of them does afterwards is known to the others.
        if isBare { counter.bare += 1 }
        group.leave()
    }
}
group.wait()
precondition(counter.guarded == threads * rounds)

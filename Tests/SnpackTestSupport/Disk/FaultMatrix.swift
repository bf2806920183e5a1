import Diagnostics
package import DurableFiles
package import Foundation
package import Testing

/// One operation, tried with a disk that fails it at every call in turn.
package struct FaultMatrix {
    /// What every try starts from; `tree` within it is copied for each.
    package let start: URL
    private let name: String

    /// - Parameter start: a directory that is copied for every try.
    package init(_ name: String, from start: URL) {
        self.name = name
        self.start = start
    }

    /// Whether `scripts/torture` asks for every error at every call.
    package static let isThorough = ProcessInfo.processInfo.environment["SNPACK_TORTURE"] != nil

    private static let faults =
        FaultyDisk.errors.map { FaultyDisk.Fault.fails($0) }
        + [.dies, .powerCut(renamesLost: true), .powerCut(renamesLost: false)]

    /// Rows of faults, each for every call: the fault of a call by its number. Usually one row, in which the faults take
    /// turns from another one in each run; `scripts/torture` has a row for each.
    private static func rows(startingAt start: Int) -> [(Int) -> FaultyDisk.Fault] {
        isThorough ? faults.map { fault in { _ in fault } } : [{ faults[($0 + start) % faults.count] }]
    }

    /// Runs `act` in a copy of the start, failing call after call, until it makes fewer calls than that.
    ///
    /// After each: `state` must be one of `before` and `after`; `act` must succeed with a sound disk, and `state` then be
    /// `after`; and nothing temporary be left.
    /// - Parameters:
    ///   - state: what a reader finds, in a word; it throws for a mix.
    ///   - again: what is run after the fault, if it is not `act`.
    package func run(
        before: String, after: String, leastCallCount: Int = 8,
        act: (URL, any Disk) async throws -> Void, again: ((URL) async throws -> Void)? = nil,
        state: (URL) async throws -> String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let start = Int.random(in: 0..<Self.faults.count)
        var points = 0
        var found: Set<String> = []
        for row in Self.rows(startingAt: start) {
            var call = 0
            while true {
                let fault = row(call)
                let tried = try await ProjectFiles.inTemporaryDirectory { home -> Bool in
                    let place = home.appending(path: "place")
                    try FileManager.default.copyItem(at: self.start, to: place)
                    let disk = FaultyDisk(fault, at: call)
                    var failure: (any Error)?
                    do { try await act(place, disk) } catch { failure = error }
                    guard disk.hasStruck else {
                        if let failure { throw failure }
                        return false
                    }
                    disk.settle()
                    let what = "\(name), \(fault) at call \(call)"
                    if let failure {
                        // Whatever the disk says, it is not the reader's, the network's or our own fault.
                        let error = failure as? SnpackError
                        #expect(
                            error?.code.exitStatus == .localIO, "\(what): \(failure)", sourceLocation: sourceLocation)
                    }
                    do {
                        let left = try await state(place)
                        found.insert(left)
                        #expect([before, after].contains(left), "\(what): \(left)", sourceLocation: sourceLocation)
                        if let again { try await again(place) } else { try await act(place, SystemDisk()) }
                        #expect(try await state(place) == after, "\(what), then again", sourceLocation: sourceLocation)
                    } catch { Issue.record(error, "\(what)", sourceLocation: sourceLocation) }
                    #expect(Self.leftovers(place) == [], "\(what)", sourceLocation: sourceLocation)
                    return true
                }
                guard tried else { break }
                (call, points) = (call + 1, points + 1)
            }
            #expect(call >= leastCallCount, "\(name) made only \(call) calls", sourceLocation: sourceLocation)
        }
        #expect(found.contains(before), "no fault came before the change", sourceLocation: sourceLocation)
        print("fault matrix: \(name): \(points) points, beginning with \(Self.faults[start])")
    }

    /// Names of things in the making below `place`.
    package static func leftovers(_ place: URL) -> [String] {
        (FileManager.default.enumerator(atPath: place.path)?.compactMap { $0 as? String } ?? [])
            .filter { $0.contains(TemporaryName.prefix) || $0.hasSuffix(".part") }
    }
}

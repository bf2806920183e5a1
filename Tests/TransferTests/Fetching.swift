import Diagnostics
import Foundation
import SnpackTestSupport
import Synchronization
import Transfer

/// A client that never sleeps between attempts and is not patient.
func impatientClient(
    retries: Int = 0, token: BearerToken? = nil, patience: Duration = .seconds(10),
    slept: SleepLog = SleepLog()
) -> HTTPClient {
    var (pace, retry) = (HTTPClient.Pace(), RetryPolicy())
    pace.connectTimeout = .seconds(5)
    pace.patience = patience
    retry.retries = retries
    retry.random = { 0 }
    retry.sleep = { (duration, cancel) throws(SnpackError) in
        slept.add(duration)
        try cancel.check()
    }
    return HTTPClient(version: "0.0.0-test", token: token, pace: pace, retry: retry)
}

/// What a client would have slept.
final class SleepLog: Sendable {
    private let durations = Mutex<[Duration]>([])
    var all: [Duration] { durations.withLock { $0 } }
    func add(_ duration: Duration) { durations.withLock { $0.append(duration) } }
}

/// All that one fetch handed over.
struct Fetched {
    var bytes: [UInt8] = []
    var heads: [HTTPResponse] = []
}

extension HTTPClient {
    /// Fetches into memory as a caller does that keeps a `.part` file: each head says where the bytes go.
    func collect(
        _ request: HTTPRequest, use: BodyUse = .take, cancel: CancelToken = CancelToken()
    ) throws(SnpackError) -> Fetched {
        var fetched = Fetched()
        let start = request.range?.lowerBound ?? 0
        try fetch(request, cancel: cancel) { head in
            fetched.heads.append(head)
            if case .takeFromStart = use, head.part == nil { fetched.bytes = [] }
            if let part = head.part, part.bytes.lowerBound != start + UInt64(fetched.bytes.count) {
                fetched.bytes = []
            }
            return use
        } consume: { bytes in
            fetched.bytes += bytes
        }
        return fetched
    }
}

extension ScriptedServer {
    func request(
        _ path: String = "/file", size: HTTPRequest.Size = .atMost(1 << 20), range: Range<UInt64>? = nil,
        ifRange: EntityTag? = nil
    ) throws(SnpackError) -> HTTPRequest {
        HTTPRequest(try HTTPURL(parsing: url(path)), size: size, range: range, ifRange: ifRange)
    }
}

/// The error that `body` throws, nil if none.
func error(of body: () throws(SnpackError) -> Void) -> SnpackError? {
    do {
        try body()
        return nil
    } catch { return error }
}

/// Runs `body` on so many threads at once and waits for all.
func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let done = DispatchSemaphore(value: 0)
    for index in 0..<count {
        Thread.detachNewThread {
            body(index)
            done.signal()
        }
    }
    for _ in 0..<count { done.wait() }
}

/// What a program prints.
func output(of program: String, _ arguments: String...) throws -> [UInt8] {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Array(bytes)
}

/// Bytes that no shift or repeat leaves alike.
func sampleBytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
}

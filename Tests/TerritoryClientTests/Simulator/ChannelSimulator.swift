import Diagnostics
import Hashing
import Signing
import Synchronization
import TerritoryClient
import TerritoryModel
import TerritoryPackage

/// A channel in memory that is also the way to it: it signs with test keys, lies as it is told to, and logs requests.
final class ChannelSimulator: ChannelTransport, Sendable {
    struct Request: Sendable, CustomStringConvertible {
        let path: String
        let range: Range<UInt64>?
        let isPastCaches: Bool
        var sentByteCount: UInt64 = 0
        var description: String { path + (range.map { " \($0)" } ?? "") + (isPastCaches ? " past caches" : "") }
    }

    /// What happens to one request in place of the honest answer.
    enum Lie: Sendable {
        case answer([UInt8])
        case missing
        case fail(SnpackError)
        /// Sends so many bytes, then breaks off with an error.
        case breakOff(after: Int)
        /// The block for ever.
        case endless([UInt8])
        case refuseRange
        /// Cancels the work's token in the middle of the answer.
        case cancel(after: Int)
    }
    typealias Script = @Sendable (_ request: ChannelRequest, _ number: Int) -> Lie?

    private struct State {
        var files: [String: [UInt8]] = [:]
        var requests: [Request] = []
        var script: Script?
    }
    private let state = Mutex(State())

    var location: String { "sim://channel" }
    var requests: [Request] { state.withLock { $0.requests } }
    var sentByteCount: UInt64 { requests.reduce(0) { $0 + $1.sentByteCount } }
    func forgetRequests() { state.withLock { $0.requests = [] } }
    func lie(_ script: Script?) { state.withLock { $0.script = script } }

    subscript(path: String) -> [UInt8]? {
        get { state.withLock { $0.files[path] } }
        set { state.withLock { $0.files[path] = newValue } }
    }

    func fetch(
        _ request: ChannelRequest, cancel: CancelToken,
        consume: (UnsafeRawBufferPointer) throws(SnpackError) -> Void
    ) throws(SnpackError) -> ChannelAnswer {
        try cancel.check()
        let (number, file, lie): (Int, [UInt8]?, Lie?) = state.withLock { state in
            let number = state.requests.count
            state.requests.append(
                Request(path: request.path, range: request.range, isPastCaches: request.isPastCaches))
            return (number, state.files[request.path], state.script?(request, number))
        }
        func send(_ bytes: some Collection<UInt8>) throws(SnpackError) {
            var rest = Array(bytes)[...]
            while !rest.isEmpty {
                try cancel.check()
                let piece = Array(rest.prefix(16_384))
                rest = rest.dropFirst(piece.count)
                state.withLock { $0.requests[number].sentByteCount += UInt64(piece.count) }
                var failure: SnpackError?
                piece.withUnsafeBytes { bytes in
                    do throws(SnpackError) { try consume(bytes) } catch { failure = error }
                }
                if let failure { throw failure }
            }
        }
        func wanted(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
            guard let range = request.range else { return bytes[...] }
            return bytes[min(bytes.count, Int(range.lowerBound))..<min(bytes.count, Int(range.upperBound))]
        }
        switch lie {
        case .answer(let bytes)?: try send(wanted(bytes))
        case .missing?: return .notFound
        case .fail(let error)?: throw error
        case .refuseRange?:
            guard request.range == nil, let file else { return request.range == nil ? .notFound : .rangeRefused }
            try send(file)
        case .breakOff(let count)?:
            try send(wanted(file ?? []).prefix(count))
            throw Self.lost
        case .endless(let block)?: while true { try send(block) }
        case .cancel(let count)?:
            try send(wanted(file ?? []).prefix(count))
            cancel.cancel()
            try cancel.check()
        case nil:
            guard let file else { return .notFound }
            try send(wanted(file))
        }
        return .complete
    }

    static let lost = SnpackError(ErrorCode("transfer.connection-lost", .network), "the connection was lost")
}

/// The keys of the simulated world, new in every run.
struct SimulatedKeys: Sendable {
    let factory, otherFactory, region, stranger: SecretKey

    static let all: SimulatedKeys = {
        do { return try SimulatedKeys() } catch { fatalError("no keys: \(error)") }
    }()

    private init() throws(SnpackError) {
        factory = try .generate(role: .factory)
        otherFactory = try .generate(role: .factory)
        region = try .generate(role: .region)
        stranger = try .generate(role: .factory)
    }

    var pinned: PinnedKeys {
        get throws {
            try PinnedKeys(factory: [FactoryKey(factory.publicKey)], region: [RegionKey(region.publicKey)])
        }
    }
}

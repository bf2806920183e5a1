import Foundation
import Synchronization

/// A web server on 127.0.0.1 that answers with whatever a test's closure says, lies included.
///
/// ```swift
/// let server = try ScriptedServer { request in
///     request.path == "/blob" ? .file(blob, for: request, entityTag: "\"v1\"") : .notFound
/// }
/// defer { server.stop() }
/// … server.url("/blob") …
/// #expect(server.requests.map(\.path) == ["/blob"])
/// ```
///
/// Every connection has a thread of its own and may carry many requests. The script runs on those threads, so what it
/// changes belongs in a `Mutex`. ``ScriptedRequest/number`` tells the first request from the second.
public final class ScriptedServer: Sendable {
    /// What a test says to a request.
    public typealias Script = @Sendable (ScriptedRequest) -> ScriptedResponse

    /// The free port that the server took.
    public let port: UInt16
    private let floor: ServerFloor

    /// Starts to listen.
    public init(_ script: @escaping Script) throws {
        let listener = try ListeningSocket()
        port = listener.port
        let floor = ServerFloor(script: script, listener: listener.descriptor)
        self.floor = floor
        Thread.detachNewThread { floor.acceptConnections() }
    }

    deinit { floor.stop() }

    /// The address of a path that begins with `/`.
    public func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// All requests so far, in the order in which their heads were complete.
    public var requests: [ScriptedRequest] { floor.log.withLock { $0.requests } }
    /// How many connections were opened so far.
    public var connectionCount: Int { floor.log.withLock { $0.connectionCount } }
    /// How many bytes of bodies and raw answers the sockets took so far.
    public var sentByteCount: Int { floor.log.withLock { $0.sentByteCount } }
    /// Forgets the requests and counts; ``ScriptedRequest/number`` starts at 0 again.
    public func clearLog() { floor.log.withLock { $0 = ServerFloor.Log() } }

    /// Closes the listening socket and every connection, also in the middle of an answer. Calling it again is harmless.
    public func stop() { floor.stop() }
}

/// What the threads of one server share; it lives until the last of them has gone.
final class ServerFloor: Sendable {
    struct Log: Sendable {
        var requests: [ScriptedRequest] = []
        var connectionCount = 0
        var sentByteCount = 0
    }
    private struct Sockets {
        var isStopped = false
        var open: Set<Int32> = []
    }

    let script: ScriptedServer.Script
    let log = Mutex(Log())
    private let listener: Int32
    private let sockets = Mutex(Sockets())

    init(script: @escaping ScriptedServer.Script, listener: Int32) {
        self.script = script
        self.listener = listener
    }

    var isStopped: Bool { sockets.withLock { $0.isStopped } }

    func acceptConnections() {
        while let descriptor = acceptConnection(on: listener) {
            // Registered under the lock, so that `stop` shuts down every socket that exists.
            let isWelcome = sockets.withLock { sockets in
                if !sockets.isStopped { sockets.open.insert(descriptor) }
                return !sockets.isStopped
            }
            guard isWelcome else {
                close(descriptor)
                break
            }
            let number = log.withLock { log in
                log.connectionCount += 1
                return log.connectionCount - 1
            }
            Thread.detachNewThread { [self] in
                var connection = ServerConnection(floor: self, descriptor: descriptor, number: number)
                connection.serve()
                sockets.withLock { _ = $0.open.remove(descriptor) }
                close(descriptor)
            }
        }
        close(listener)
    }

    func stop() {
        sockets.withLock { sockets in
            if !sockets.isStopped { shutdownSocket(listener) }
            sockets.isStopped = true
            for descriptor in sockets.open { shutdownSocket(descriptor) }
        }
    }
}

import Foundation

/// A TCP socket on 127.0.0.1 that listens on a port of the system's choice.
struct ListeningSocket {
    let descriptor: Int32
    let port: UInt16

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let descriptor = descriptor
        let port = withLoopbackAddress(0) { address, size -> UInt16? in
            var length = size
            guard bind(descriptor, address, size) == 0, listen(descriptor, 256) == 0,
                getsockname(descriptor, address, &length) == 0
            else { return nil }
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
        guard let port else {
            let reason = errno
            close(descriptor)
            throw POSIXError(POSIXErrorCode(rawValue: reason) ?? .EIO)
        }
        self.port = port
    }
}

/// The next connection; nil once the socket was shut down.
func acceptConnection(on listener: Int32) -> Int32? {
    while true {
        let descriptor = accept(listener, nil, nil)
        if descriptor >= 0 {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            var on: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
            return descriptor
        }
        if errno != EINTR && errno != ECONNABORTED { return nil }
    }
}

/// Wakes whoever waits on it; the descriptor stays its owner's to close.
func shutdownSocket(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

/// Makes the coming `close` send a reset in place of an orderly end.
func resetOnClose(_ descriptor: Int32) {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
}

/// Some bytes; empty at the end, nil on failure.
func receive(from descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count >= 0 { return Array(buffer[..<count]) }
        if errno != EINTR { return nil }
    }
}

/// False if the client has gone.
func sendAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
            let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress
            let count = send(descriptor, start, rest.count, Int32(MSG_NOSIGNAL))
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}

/// Whether somebody listens on a port of 127.0.0.1.
func canConnect(to port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    return withLoopbackAddress(port) { connect(descriptor, $0, $1) == 0 }
}

/// 127.0.0.1 and a port, as the socket calls want it; they may write into it.
func withLoopbackAddress<Result>(
    _ port: UInt16, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}

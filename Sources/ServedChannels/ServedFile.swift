import Diagnostics
import DurableFiles
import Transfer

/// A file on a web server, read by ranges.
struct ServedFile: RandomAccess {
    let name: String
    let byteCount: UInt64
    let address: HTTPURL
    let client: HTTPClient
    let pulse: ServerPulse
    let cancel: CancelToken

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SnpackError) {
        guard !buffer.isEmpty else { return }
        guard offset <= byteCount, UInt64(buffer.count) <= byteCount - offset else {
            throw SnpackError(.fileChanged, "it ends before offset \(offset) + \(buffer.count)", path: name)
        }
        var done = 0
        let request = HTTPRequest(
            address, size: .exactly(byteCount), range: offset..<offset + UInt64(buffer.count))
        _ = try pulse.watch { () throws(SnpackError) in
            try client.fetch(request, cancel: cancel) { piece throws(SnpackError) in
                guard piece.count <= buffer.count - done else {
                    throw SnpackError(.fileChanged, "the server sent more than was asked for", path: name)
                }
                UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).copyMemory(from: piece)
                done += piece.count
            }
        }
        guard done == buffer.count else {
            throw SnpackError(.fileChanged, "the server sent less than was asked for", path: name)
        }
    }
}

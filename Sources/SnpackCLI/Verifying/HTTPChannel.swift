import Diagnostics
import DurableFiles
import TerritoryPackage
import Transfer

/// A channel on the web, read as its clients see it.
struct HTTPChannel: ChannelReader {
    private let url: ChannelURL
    private let client = HTTPClient(version: SnpackVersion.number)
    private let cancel: CancelToken

    init(_ text: String, cancel: CancelToken) throws(SnpackError) {
        url = try ChannelURL(parsing: text)
        self.cancel = cancel
    }

    /// True for what is a URL and no path on this disk.
    static func isOne(_ text: String) -> Bool {
        (text.hasPrefix("http://") || text.hasPrefix("https://")) && FileIdentity.at(text) == nil
    }

    var shownPath: String {
        let text = url.base.description
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    func document(_ path: String, limit: Int) throws(SnpackError) -> [UInt8]? {
        do { return try client.document(url.url(of: path), limit: limit, cancel: cancel) } catch
            where error.code == .transferNotFound
        { return nil }
    }

    func blob(_ path: String) throws(SnpackError) -> any RandomAccess {
        let address = try url.url(of: path)
        do throws(SnpackError) {
            guard let byteCount = try client.head(address, cancel: cancel).contentLength else {
                throw SnpackError(
                    .transferAnswerMalformed, "the server does not tell the file's size",
                    hint: "serve blobs as static files", path: self.path(of: path))
            }
            return HTTPFile(
                name: self.path(of: path), byteCount: byteCount, address: address, client: client, cancel: cancel)
        } catch  where error.code == .transferNotFound {
            throw SnpackError(.fileMissing, "it is not there", path: self.path(of: path))
        }
    }

    func identity(of path: String) -> FileIdentity? { nil }
}

/// A file on a web server, read by ranges.
private struct HTTPFile: RandomAccess {
    let name: String
    let byteCount: UInt64
    let address: HTTPURL
    let client: HTTPClient
    let cancel: CancelToken

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SnpackError) {
        guard !buffer.isEmpty else { return }
        guard offset <= byteCount, UInt64(buffer.count) <= byteCount - offset else {
            throw SnpackError(.fileChanged, "it ends before offset \(offset) + \(buffer.count)", path: name)
        }
        var done = 0
        let request = HTTPRequest(
            address, size: .exactly(byteCount), range: offset..<offset + UInt64(buffer.count))
        _ = try client.fetch(request, cancel: cancel) { piece throws(SnpackError) in
            guard piece.count <= buffer.count - done else {
                throw SnpackError(.fileChanged, "the server sent more than was asked for", path: name)
            }
            UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).copyMemory(from: piece)
            done += piece.count
        }
        guard done == buffer.count else {
            throw SnpackError(.fileChanged, "the server sent less than was asked for", path: name)
        }
    }
}

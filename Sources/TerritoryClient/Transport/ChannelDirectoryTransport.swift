public import Diagnostics
package import DurableFiles

/// A channel in a directory of this machine: a mount, a stick, a mirror.
public struct ChannelDirectoryTransport: ChannelTransport {
    private let root: Directory

    /// - Throws: `file.not-found` when nothing is there.
    public init(path: String) throws(SnpackError) { root = try Directory.open(path) }

    package init(_ root: Directory) { self.root = root }

    public var location: String { root.path }

    /// The file itself, to be read without a copy; nil if it isn't there.
    package func file(_ path: String) throws(SnpackError) -> OpenFile? {
        do { return try root.file(at: path) } catch  where error.code == .fileNotFound { return nil }
    }

    public func fetch(
        _ request: ChannelRequest, cancel: CancelToken,
        consume: (UnsafeRawBufferPointer) throws(SnpackError) -> Void
    ) throws(SnpackError) -> ChannelAnswer {
        guard let file = try file(request.path) else { return .notFound }
        let end = request.range?.upperBound ?? file.byteCount
        guard end <= file.byteCount else {
            throw SnpackError(.fileChanged, "it ends before byte \(end)", path: file.name)
        }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
        defer { piece.deallocate() }
        var offset = request.range?.lowerBound ?? 0
        while offset < end {
            try cancel.check()
            let part = UnsafeMutableRawBufferPointer(rebasing: piece[..<Int(min(UInt64(piece.count), end - offset))])
            try file.read(into: part, at: offset)
            try consume(UnsafeRawBufferPointer(part))
            offset += UInt64(part.count)
        }
        return .complete
    }
}

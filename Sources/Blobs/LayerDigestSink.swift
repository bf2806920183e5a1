import Diagnostics

/// Digests a layer's files as they come out of its tar stream, and has each looked at again when all of it was read.
final class LayerDigestSink: LayerSink {
    private let files: any LayerFiles
    private var digester: LayerDigester
    private var index = 0

    init(_ files: any LayerFiles) {
        self.files = files
        digester = LayerDigester(isTree: files.isTree)
    }

    /// The digest and sizes of all that was read; to be asked at the end.
    func content() -> LayerContent { digester.content() }

    func beginFile(path: String, byteCount: UInt64) { digester.beginFile(path: path) }
    func write(_ bytes: UnsafeRawBufferPointer) { digester.add(bytes) }
    func endFile() throws(SnpackError) {
        digester.endFile()
        try files.checkUnchanged(at: index)
        index += 1
    }
    func finish() {}
}

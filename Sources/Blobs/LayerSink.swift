package import Diagnostics

/// Takes a layer's files one after the other, as they come out of a tar stream.
package protocol LayerSink: AnyObject {
    func beginFile(path: String, byteCount: UInt64) throws(SnpackError)
    /// The next bytes of the file begun last.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SnpackError)
    func endFile() throws(SnpackError)
    /// The last file has ended.
    func finish() throws(SnpackError)
}

package import Diagnostics
package import TerritoryModel

/// Proves that files are those of a signed layer: their paths, number, sizes and BLAKE3. A further sink, if there is
/// one, gets nothing beyond what is signed.
package final class LayerProof: LayerSink {
    private let layer: Manifest.Layer
    private var next: (any LayerSink)?
    private var digester: LayerDigester
    private var paths = FilePathSet()
    private var fileCount: UInt64 = 0
    private var byteCount: UInt64 = 0

    package init(of layer: Manifest.Layer, then next: (any LayerSink)? = nil) {
        self.layer = layer
        self.next = next
        digester = LayerDigester(isTree: layer.isTree)
    }

    private func mismatch(_ reason: String) -> SnpackError {
        SnpackError(.layerMismatch, "layer \(layer.kind): \(reason)")
    }

    package func beginFile(path: String, byteCount: UInt64) throws(SnpackError) {
        let checked = try FilePath(parsing: path)
        try paths.insert(checked)
        if !layer.isTree, !path.utf8.elementsEqual(layer.path.rawValue.utf8) {
            throw mismatch("its file is \(quoted(path)), not \(quoted(layer.path.rawValue))")
        }
        fileCount += 1
        guard fileCount <= layer.fileCount else { throw mismatch("more than the \(layer.fileCount) files signed") }
        let (total, overflow) = self.byteCount.addingReportingOverflow(byteCount)
        guard !overflow, total <= layer.byteCount else {
            throw mismatch("more than the \(layer.byteCount) bytes signed")
        }
        self.byteCount = total
        digester.beginFile(path: path)
        try next?.beginFile(path: path, byteCount: byteCount)
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(SnpackError) {
        digester.add(bytes)
        try next?.write(bytes)
    }

    package func endFile() throws(SnpackError) {
        digester.endFile()
        try next?.endFile()
    }

    package func finish() throws(SnpackError) {
        try next?.finish()
        guard fileCount == layer.fileCount else {
            throw mismatch("\(fileCount) files, not the \(layer.fileCount) signed")
        }
        guard byteCount == layer.byteCount else {
            throw mismatch("\(byteCount) bytes, not the \(layer.byteCount) signed")
        }
        guard digester.content().blake3 == layer.blake3 else {
            throw mismatch("its content does not have the signed BLAKE3")
        }
    }
}

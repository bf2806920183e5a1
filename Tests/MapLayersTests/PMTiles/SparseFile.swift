import Diagnostics
import DurableFiles

/// A file of any length that is zero but for a few stretches, and counts how much of it is read.
struct SparseFile: RandomAccess {
    let name = "sparse"
    let byteCount: UInt64
    let stretches: [(offset: UInt64, bytes: [UInt8])]

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SnpackError) {
        guard offset <= byteCount, UInt64(buffer.count) <= byteCount - offset else {
            throw SnpackError(.fileChanged, "read outside of the file")
        }
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        for (start, bytes) in stretches {
            let low = max(start, offset)
            let high = min(start + UInt64(bytes.count), offset + UInt64(buffer.count))
            guard low < high else { continue }
            for position in low..<high { buffer[Int(position - offset)] = bytes[Int(position - start)] }
        }
    }
}

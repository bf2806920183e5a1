import DurableFiles

/// A file of holes alone, as long as it says.
package struct HollowFile: RandomAccess {
    package let byteCount: UInt64
    package var name: String { "hollow" }

    package init(byteCount: UInt64) { self.byteCount = byteCount }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) {
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
    }
}

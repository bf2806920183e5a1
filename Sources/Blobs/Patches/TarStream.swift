package import Diagnostics
package import DurableFiles
package import Hashing

/// A layer's canonical tar stream, read at any offset without being written anywhere.
///
/// A one-file layer's entry bears the name that the stream was made with, whatever the file is called where it lies.
package protocol TarStream: RandomAccess {
    /// The content address of the layer in the stream, proven.
    func provenContent(context: WorkContext) throws(SnpackError) -> Blake3Digest
    /// Reads all of it once, front to back; the files go to `sink`.
    func read(into sink: any LayerSink, context: WorkContext) throws(SnpackError)
}

/// Where the entries of a canonical tar stream lie.
package struct TarLayout: Sendable {
    /// The longest stream that is read from files or packed: 4 TiB. Its chunk table has 600 MB at most.
    package static let byteLimit: UInt64 = 1 << 42

    package let entries: [TarEntry]
    /// Where each entry's unit begins; the last is where the end blocks begin.
    package let offsets: [UInt64]

    /// - Throws: `layer.not-packable` for a stream beyond ``byteLimit``, as files with holes can make.
    package init(_ entries: [TarEntry]) throws(SnpackError) {
        self.entries = entries
        var offsets: [UInt64] = [0]
        offsets.reserveCapacity(entries.count + 1)
        var offset: UInt64 = 0
        for entry in entries {
            guard entry.byteCount <= Self.byteLimit, case let unit = entry.unitByteCount,
                unit <= Self.byteLimit - offset
            else {
                throw SnpackError(
                    .layerNotPackable,
                    "\(quoted(entry.path)) takes it beyond \(Self.byteLimit) bytes, the most of a layer",
                    hint: "a file with holes counts as long as it says it is")
            }
            offset += unit
            offsets.append(offset)
        }
        self.offsets = offsets
    }

    package var byteCount: UInt64 { offsets[entries.count] + UInt64(TarEntry.endByteCount) }

    /// The entry in whose unit `offset` lies; the number of entries for the end blocks.
    package func index(of offset: UInt64) -> Int { offsets.lastIndex(notAbove: offset) }
}

extension Array<UInt64> {
    /// The index of the last element that is not above `value`, of ascending ones whose first is 0.
    func lastIndex(notAbove value: UInt64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= value { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }
}

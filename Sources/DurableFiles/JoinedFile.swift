package import Diagnostics

/// Stretches of files one behind the other, read like one file.
package struct JoinedFile: RandomAccess {
    package struct Part: Sendable {
        let file: any RandomAccess
        let offset: UInt64
        let byteCount: UInt64

        package init(_ file: any RandomAccess, offset: UInt64, byteCount: UInt64) {
            (self.file, self.offset, self.byteCount) = (file, offset, byteCount)
        }
    }

    package let name: String
    private let parts: [Part]
    /// Where each part begins, and where the last ends.
    private let starts: [UInt64]

    package init(_ parts: [Part], name: String) {
        self.name = name
        self.parts = parts.filter { $0.byteCount > 0 }
        var starts: [UInt64] = [0]
        for part in self.parts { starts.append(starts[starts.count - 1] + part.byteCount) }
        self.starts = starts
    }

    package var byteCount: UInt64 { starts[parts.count] }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SnpackError) {
        guard offset <= byteCount, UInt64(buffer.count) <= byteCount - offset else {
            throw SnpackError(.fileChanged, "it ends before offset \(offset) + \(buffer.count)", path: name)
        }
        var rest = buffer
        var offset = offset
        var index = part(at: offset)
        while !rest.isEmpty {
            let (part, inPart) = (parts[index], offset - starts[index])
            let count = Int(min(UInt64(rest.count), part.byteCount - inPart))
            try part.file.read(
                into: UnsafeMutableRawBufferPointer(rebasing: rest[..<count]), at: part.offset + inPart)
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
            offset += UInt64(count)
            index += 1
        }
    }

    private func part(at offset: UInt64) -> Int {
        var (low, high) = (0, parts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }
}

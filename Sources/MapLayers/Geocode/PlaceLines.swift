package import Diagnostics
package import DurableFiles

/// A file of places, one JSON object a line, read from front to back in constant memory.
package enum PlaceLines {
    private static let chunkByteCount = 1 << 20

    /// Hands every valid place to `body` with its line number, counted from 1. Blank lines are skipped.
    ///
    /// - Parameter faults: gets every invalid line, with its number and the reason.
    /// - Throws: what reading and `body` throw, and `interrupted`.
    package static func forEach(
        in file: any RandomAccess, named name: String, context: WorkContext, faults: inout FaultList,
        do body: (PlaceDocument, Int) throws(SnpackError) -> Void
    ) throws(SnpackError) {
        var line: [UInt8] = []
        var number = 0
        // A line over the limit is dropped as it comes, and told once.
        var isTooLong = false

        func endLine() throws(SnpackError) {
            number += 1
            defer {
                line.removeAll(keepingCapacity: true)
                isTooLong = false
            }
            do throws(SnpackError) {
                if isTooLong {
                    throw SnpackError(
                        .geocodePlaceInvalid, "it is longer than \(PlaceDocument.Limits.lineByteCount) bytes")
                }
                if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return }
                let document = try PlaceDocument(decoding: line)
                try body(document, number)
            } catch  where error.code == .geocodePlaceInvalid {
                faults.add(error.recoded(.geocodePlaceInvalid, prefix: "line \(number): ").at(name))
            }
        }

        var offset: UInt64 = 0
        while offset < file.byteCount {
            try context.cancel.check()
            let count = Int(min(UInt64(chunkByteCount), file.byteCount - offset))
            let chunk = try file.bytes(at: offset, count: count)
            offset += UInt64(count)
            var rest = chunk[...]
            while let end = rest.firstIndex(of: 0x0A) {
                append(rest[..<end])
                try endLine()
                rest = rest[(end + 1)...]
            }
            append(rest)
            context.report.advance(UInt64(count))
        }
        if !line.isEmpty || isTooLong { try endLine() }

        func append(_ piece: ArraySlice<UInt8>) {
            isTooLong = isTooLong || line.count + piece.count > PlaceDocument.Limits.lineByteCount
            if !isTooLong { line += piece }
        }
    }
}

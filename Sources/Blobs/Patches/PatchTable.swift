package import Diagnostics
package import TerritoryModel

/// The list of a patch's steps, in the skippable zstd frame at its end.
///
/// Layout: magic `0x184D2A5D`, u32 payload size; payload `SNPT`, u32 1, u32 n, u32 0, then 28 bytes a step: u32 op, u32
/// frame size, u64 old offset, u32 old length, u32 new length, u32 0. Integers are little-endian.
package struct PatchTable: Hashable, Sendable {
    /// What the next bytes of the new stream are.
    package enum Step: Hashable, Sendable {
        /// Bytes of the old stream.
        case copy(oldOffset: UInt64, byteCount: UInt32)
        /// The next frame's content.
        case plain(frameByteCount: UInt32, newByteCount: UInt32)
        /// The next frame's content, with bytes of the old stream as its prefix.
        case patch(frameByteCount: UInt32, oldOffset: UInt64, oldByteCount: UInt32, newByteCount: UInt32)

        package var frameByteCount: UInt32 {
            switch self {
            case .copy: 0
            case .plain(let frame, _), .patch(let frame, _, _, _): frame
            }
        }

        package var newByteCount: UInt32 {
            switch self {
            case .copy(_, let count), .plain(_, let count), .patch(_, _, _, let count): count
            }
        }
    }

    private static let headByteCount = Int(Limits.patchTableHeadBytes)
    private static let stepByteCount = Int(Limits.patchStepBytes)
    private static let name: [UInt8] = Array("SNPT".utf8)

    package let steps: [Step]

    package init(_ steps: [Step]) { self.steps = steps }

    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        let byteCount = Self.headByteCount + Self.stepByteCount * steps.count
        bytes.reserveCapacity(byteCount)
        func put(_ value: UInt32) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
        func put(_ op: UInt32, _ frame: UInt32, _ oldOffset: UInt64, _ oldByteCount: UInt32, _ newByteCount: UInt32) {
            put(op)
            put(frame)
            withUnsafeBytes(of: oldOffset.littleEndian) { bytes.append(contentsOf: $0) }
            put(oldByteCount)
            put(newByteCount)
            put(0)
        }
        put(ChunkTable.skippableMagic)
        put(UInt32(byteCount - 8))
        bytes += Self.name
        put(1)
        put(UInt32(steps.count))
        put(0)
        for step in steps {
            switch step {
            case .copy(let oldOffset, let count): put(0, 0, oldOffset, count, count)
            case .plain(let frame, let count): put(1, frame, 0, 0, count)
            case .patch(let frame, let oldOffset, let oldCount, let count): put(2, frame, oldOffset, oldCount, count)
            }
        }
        return bytes
    }

    /// Reads the steps of a patch whose bytes are proven, and checks each against the signed sizes before memory is taken
    /// for any of them.
    /// - Parameter tarByteCount: bytes of the new stream.
    package init(decoding bytes: [UInt8], of patch: Manifest.Patch, tarByteCount: UInt64) throws(SnpackError) {
        func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws(SnpackError) {
            if !condition { throw SnpackError(.patchTableInvalid, "step frame: \(reason())") }
        }
        func integer(at offset: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
        }
        try require(UInt64(bytes.count) == patch.tableByteCount, "it does not have the signed size")
        try require(bytes.count >= Self.headByteCount + Self.stepByteCount, "it is too short")
        try require(integer(at: 0) == ChunkTable.skippableMagic, "it is not the skippable frame expected")
        try require(UInt64(integer(at: 4)) == UInt64(bytes.count - 8), "its size field is wrong")
        try require(Array(bytes[8..<12]) == Self.name && integer(at: 12) == 1, "it is not version 1")
        let count = Int(integer(at: 16))
        try require(integer(at: 20) == 0, "its reserved field is not 0")
        try require(Limits.patchSteps.contains(UInt64(count)), "\(count) steps are not 1 to 262,144")
        try require(
            bytes.count == Self.headByteCount + Self.stepByteCount * count, "its size does not fit its \(count) steps")
        var steps: [Step] = []
        steps.reserveCapacity(count)
        // Sums of at most 2^18 32-bit values: nothing overflows.
        var (frameTotal, newTotal) = (UInt64(0), UInt64(0))
        for index in 0..<count {
            let at = Self.headByteCount + index * Self.stepByteCount
            let (op, frame) = (integer(at: at), integer(at: at + 4))
            let oldOffset = UInt64(integer(at: at + 8)) | UInt64(integer(at: at + 12)) << 32
            let (oldCount, newCount) = (integer(at: at + 16), integer(at: at + 20))
            try require(integer(at: at + 24) == 0, "step \(index): its reserved field is not 0")
            try require(newCount >= 1, "step \(index): it makes nothing")
            let (oldEnd, overflow) = oldOffset.addingReportingOverflow(UInt64(oldCount))
            try require(
                !overflow && oldEnd <= patch.oldTarByteCount, "step \(index): its old range is past the end")
            if op != 0 {
                try require(
                    (1...Limits.patchFrameBytes).contains(UInt64(frame)),
                    "step \(index): its frame size is out of range"
                )
                try require(
                    UInt64(newCount) <= Limits.patchNewBytes, "step \(index): it makes more than 8 MiB from one frame")
            }
            switch op {
            case 0:
                try require(frame == 0, "step \(index): a copy with a frame")
                try require(oldCount == newCount, "step \(index): a copy of two lengths")
                steps.append(.copy(oldOffset: oldOffset, byteCount: newCount))
            case 1:
                try require(oldOffset == 0 && oldCount == 0, "step \(index): a plain frame with an old range")
                steps.append(.plain(frameByteCount: frame, newByteCount: newCount))
            case 2:
                try require(
                    Limits.patchOldBytes.contains(UInt64(oldCount)), "step \(index): its old length is out of range")
                steps.append(
                    .patch(
                        frameByteCount: frame, oldOffset: oldOffset, oldByteCount: oldCount, newByteCount: newCount))
            default: try require(false, "step \(index): op \(op) is unknown")
            }
            frameTotal += UInt64(frame)
            newTotal += UInt64(newCount)
        }
        try require(
            patch.byteCount >= patch.tableByteCount && frameTotal == patch.byteCount - patch.tableByteCount,
            "its frames do not add up to the patch's \(patch.byteCount) bytes")
        try require(newTotal == tarByteCount, "its steps do not add up to \(tarByteCount) bytes")
        self.steps = steps
    }
}

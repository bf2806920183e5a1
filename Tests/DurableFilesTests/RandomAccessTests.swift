import Diagnostics
import DurableFiles
import SnpackTestSupport
import Testing

@Suite struct RandomAccessTests {
    /// What a crafted offset and length ask for, and the error that says no before memory is taken.
    @Test(
        arguments: [
            (0, 1 << 30 + 1, ErrorCode.fileTooLarge), (1 << 62, 1 << 62, .fileTooLarge), (0, .max, .fileTooLarge),
            (.max, 1, .fileChanged), (.max, .max, .fileChanged), (1 << 63, 1, .fileChanged), (0, -1, .fileChanged),
            (5, .min, .fileChanged),
        ] as [(UInt64, Int, ErrorCode)])
    func noMemoryIsTakenForWhatCannotBe(offset: UInt64, count: Int, code: ErrorCode) {
        let error = #expect(throws: SnpackError.self) {
            try HollowFile(byteCount: 1 << 63).bytes(at: offset, count: count)
        }
        #expect(error?.code == code)
    }
}

import Diagnostics
import DurableFiles
import Testing

@Suite struct JoinedFileTests {
    @Test func readsAsOneFileWhateverIsAskedFor() throws {
        let (left, right) = (MemoryFile(Array(0..<10)), MemoryFile(Array(100..<120)))
        let file = JoinedFile(
            [
                .init(left, offset: 2, byteCount: 3), .init(left, offset: 9, byteCount: 0),
                .init(right, offset: 5, byteCount: 4), .init(left, offset: 0, byteCount: 1),
            ], name: "joined")
        let all: [UInt8] = [2, 3, 4, 105, 106, 107, 108, 0]
        #expect(file.byteCount == 8)
        for start in 0...8 {
            for end in start...8 {
                #expect(try file.bytes(at: UInt64(start), count: end - start) == Array(all[start..<end]))
            }
        }
        #expect(throws: SnpackError.self) { try file.bytes(at: 7, count: 2) }
        #expect(JoinedFile([], name: "empty").byteCount == 0)
    }
}

import Foundation
import OutsideReaders
import SnpackTestSupport
import Testing

/// The corpus that coverage-guided fuzzing grew, `Tests/Fixtures/fuzz/<reader>/`: seeds, what reached new branches, and
/// every input that once broke a reader.
@Suite struct FuzzCorpusTests {
    private static let corpus = ProjectFiles.fixtures.appending(path: "fuzz")

    private static func inputs(_ reader: OutsideReader) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: corpus.appending(path: reader.rawValue), includingPropertiesForKeys: nil)
    }

    @Test("no input of the corpus ends or stops a reader", arguments: OutsideReader.allCases)
    func replay(_ reader: OutsideReader) throws {
        let inputs = try Self.inputs(reader)
        #expect(!inputs.isEmpty)
        for input in inputs {
            let bytes = [UInt8](try Data(contentsOf: input))
            let began = ContinuousClock.now
            reader.read(bytes)
            #expect(began.duration(to: .now) < .seconds(5), "\(reader) took too long over \(input.lastPathComponent)")
        }
    }

    @Test("no reader trusts bytes that were meant for another", arguments: OutsideReader.allCases)
    func crossed(_ reader: OutsideReader) throws {
        for other in OutsideReader.allCases where other != reader {
            for input in try Self.inputs(other).prefix(4) { reader.read([UInt8](try Data(contentsOf: input))) }
        }
    }

    @Test("every directory of the corpus belongs to a reader")
    func names() throws {
        let directories = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
            .filter { $0 != "README.md" }
        #expect(Set(directories) == Set(OutsideReader.allCases.map(\.rawValue)))
    }
}

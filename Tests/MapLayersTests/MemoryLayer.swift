import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport

/// A layer in memory: real files, and what a test does to them.
struct MemoryLayer: LayerSource {
    var contents: [String: [UInt8]] = [:]
    var isTree = true

    init(_ contents: [String: [UInt8]] = [:], isTree: Bool = true) {
        self.contents = contents
        self.isTree = isTree
    }

    /// The files below a directory of the sample, or the one file there.
    init(sample path: String) throws { try self.init(reading: ProjectFiles.sample.appending(path: path)) }

    init(reading url: URL) throws {
        var faults = FaultList()
        let tree = try FileTree(listing: url.path, faults: &faults)
        isTree = tree.isTree
        for file in tree.files { contents[file.path] = try tree.open(file).allBytes(limit: 1 << 30) }
    }

    subscript(path: String) -> [UInt8] {
        get { contents[path] ?? [] }
        set { contents[path] = newValue }
    }

    var files: [LayerSourceFile] {
        contents.map { LayerSourceFile(path: $0.key, byteCount: UInt64($0.value.count)) }
            .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    func shownPath(of file: LayerSourceFile) -> String { "layer/\(file.path)" }
    func diskPath(of file: LayerSourceFile) -> String? { nil }
    func open(_ file: LayerSourceFile) throws(SnpackError) -> any RandomAccess {
        MemoryFile(self[file.path], name: shownPath(of: file))
    }
}

extension LayerFacts {
    /// The faults' codes with the files they name: `valhalla.tile-short layer/2/…`.
    var faultLines: [String] { faults.faults.map { "\($0.code) \($0.path ?? "-")" } }
    var faultCodes: Set<String> { Set(faults.faults.map(\.code.name)) }
    var warningCodes: Set<String> { Set(warnings.map(\.code.name)) }
}

extension [UInt8] {
    /// Overwrites bytes with an integer, little-endian.
    mutating func put(_ value: some FixedWidthInteger, at offset: Int) {
        Swift.withUnsafeBytes(of: value.littleEndian) { replaceSubrange(offset..<offset + $0.count, with: $0) }
    }
}

/// Random numbers that a printed seed repeats.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    let seed: UInt64

    init(seed: UInt64 = UInt64.random(in: 0 ... .max)) {
        self.seed = seed
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}

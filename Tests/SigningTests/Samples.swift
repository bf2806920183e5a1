import Diagnostics
import Foundation
import Signing

/// Bytes of hex digits; only for literals of these tests.
func hex(_ text: String) -> [UInt8] {
    let digits = Array(text)
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
}

func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: text.utf8) }

func seeded(_ text: String, role: KeyRole = .factory) throws -> SecretKey {
    try SecretKey(seed: SecretBytes(copying: hex(text)), role: role)
}

extension SecretBytes {
    /// What tests may see of it.
    var copy: [UInt8] { withBytes { Array($0) } }
    var text: String { String(decoding: copy, as: UTF8.self) }
}

/// The code of what `body` throws, nil if it throws nothing.
func code(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return (error as? SnpackError)?.code.name ?? "\(error)"
    }
}

/// The error that `body` throws.
func fault(_ body: () throws -> Void) -> SnpackError? {
    do {
        try body()
        return nil
    } catch {
        return error as? SnpackError
    }
}

/// Runs a program with `input`; its status and what it wrote to stdout.
func run(_ arguments: [String], in directory: URL) throws -> (status: Int32, output: [UInt8]) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = directory
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, Array(bytes))
}

/// SplitMix64: random tests print its seed and can be run again with it.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

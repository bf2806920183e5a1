import Foundation
import SnpackTestSupport

/// Programs of the system that some tests need.
enum Programs {
    static func has(_ name: String) -> Bool {
        ["/usr/bin", "/bin", "/usr/sbin", "/sbin"].contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }

    /// Runs a program as a user who owns nothing. Only root can.
    static func asNobody(_ program: String, _ words: [String], in directory: URL) throws -> ToolResult {
        // The checkout may lie where nobody may look: the program is run from a copy.
        let copy = directory.appending(path: ".program")
        if !FileManager.default.fileExists(atPath: copy.path) {
            try FileManager.default.copyItem(atPath: program, toPath: copy.path)
        }
        return try SystemTool.run(
            "setpriv", ["--reuid", "65534", "--regid", "65534", "--clear-groups", copy.path] + words, in: directory)
    }
}

extension SplitMix {
    /// Bytes that do not compress, always the same.
    static func sample(_ count: Int) -> [UInt8] {
        var random = SplitMix(seed: 2_718)
        return random.bytes(count)
    }
}

import Foundation
import SnpackTestSupport

/// The calls by which a run of snpack makes, flushes and renames files, in their order, as `strace` saw them.
struct SystemCalls {
    enum Call: Equatable {
        case create(path: String, isExclusive: Bool)
        case makeDirectory(path: String, mode: String)
        case link(to: String)
        case flush(path: String)
        case flushFileSystem
        case rename(from: String, to: String)
    }

    let calls: [Call]

    /// Whether strace is here and may trace.
    static let canTrace = (try? SystemTool.run("strace", ["-o", "/dev/null", "true"]))?.status == 0

    /// Runs snpack under strace.
    static func trace(_ words: [String], in directory: URL) throws -> (calls: SystemCalls, result: ToolResult) {
        let file = directory.appending(path: "trace-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let filter = "openat,mkdirat,mkdir,linkat,renameat,renameat2,rename,fsync,fdatasync,syncfs"
        let result = try SystemTool.run(
            "strace",
            ["-f", "-y", "-s", "4096", "-e", "trace=\(filter)", "-o", file.path, SnpackProcess.path] + words,
            in: directory, seconds: 120)
        return (SystemCalls(String(decoding: try Data(contentsOf: file), as: UTF8.self)), result)
    }

    /// A call of one thread may be cut by another's: a flush counts when it ends, everything else when it begins.
    init(_ trace: String) {
        var begun: [Substring: (line: Substring, place: Int)] = [:]
        var calls: [Call?] = []
        for line in trace.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let (thread, text) = (parts[0], parts[1].drop { $0 == " " })
            if let cut = text.firstRange(of: " <unfinished ...>") {
                begun[thread] = (text[..<cut.lowerBound], calls.count)
                calls.append(nil)
            } else if text.hasPrefix("<... "), let start = begun.removeValue(forKey: thread),
                let resumed = text.firstRange(of: " resumed>")
            {
                let call = Call(start.line + text[resumed.upperBound...])
                switch call {
                case .flush, .flushFileSystem: calls.append(call)
                default: calls[start.place] = call
                }
            } else {
                calls.append(Call(text))
            }
        }
        self.calls = calls.compactMap { $0 }
    }
}

extension SystemCalls.Call {
    /// Nil for a call that failed, or that changes nothing.
    init?(_ line: Substring) {
        guard let end = line.range(of: ") ", options: .backwards),
            line[end.upperBound...].drop(while: { " =".contains($0) }).first?.isNumber == true
        else { return nil }
        let paths = line.matches(of: /(?:AT_FDCWD|\d+)<([^>]*)>(?:, "([^"]*)")?/).map { match -> String in
            let (directory, name) = (String(match.output.1), match.output.2.map(String.init))
            guard let name else { return directory }
            return name.hasPrefix("/") ? name : directory + "/" + name
        }
        let name = line.prefix { $0 != "(" }
        switch name {
        case "openat" where line.contains("O_CREAT"):
            guard let path = paths.first else { return nil }
            self = .create(path: path, isExclusive: line.contains("O_EXCL"))
        case "mkdirat":
            guard let path = paths.first, let mode = line.firstMatch(of: /", (0\d+)\)/) else { return nil }
            self = .makeDirectory(path: path, mode: String(mode.output.1))
        case "linkat" where paths.count >= 2: self = .link(to: paths[1])
        case "renameat", "renameat2":
            guard paths.count >= 2 else { return nil }
            self = .rename(from: paths[0], to: paths[1])
        case "fsync", "fdatasync":
            guard let path = paths.first else { return nil }
            self = .flush(path: path)
        case "syncfs": self = .flushFileSystem
        default: return nil
        }
    }
}

extension String {
    /// The path without its last component.
    var parentPath: String { String(self[..<(lastIndex(of: "/") ?? startIndex)]) }
    /// The path's last component.
    var lastName: String { String(self[(lastIndex(of: "/").map { index(after: $0) } ?? startIndex)...]) }
}

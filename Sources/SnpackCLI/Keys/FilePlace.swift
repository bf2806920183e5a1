import Diagnostics
import DurableFiles

/// A path as the directory that holds it and its name there.
struct FilePlace {
    /// Empty for the current directory.
    let parent: String
    let name: String

    init(_ path: String) throws(SnpackError) {
        let bytes = path.utf8
        let start = bytes.lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:)) ?? bytes.startIndex
        name = String(path[start...])
        parent = String(path[..<start])
        guard !["", ".", ".."].contains(name) else {
            throw SnpackError(
                .keyNotAFile, "\(quoted(path)) names a directory, and a file is wanted",
                hint: "give a file's name, as in keys/factory")
        }
    }
}

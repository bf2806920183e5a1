public import Diagnostics

/// The paths of one layer, kept to see that they are different files on every file system.
///
/// Of all paths and all directories that lead to them, two that differ must differ after folding (case and Unicode forms)
/// too, no path may stand twice, and no file may be a directory. Holds about 60 bytes a path, so a million is fine.
public struct FilePathSet: Sendable {
    /// A directory's entry, by the directory's number and the folded name.
    private struct Place: Hashable {
        let directory: UInt32
        let name: String
    }

    /// What stands at a place: the number of a directory, or 0 for a file.
    private var entries: [Place: UInt32] = [:]
    /// The names that differ from their folded form.
    private var spellings: [Place: String] = [:]
    private var directoryCount: UInt32 = 0

    /// An empty set.
    public init() {}

    /// Adds a path. After an error the set can be used on, to find more faults.
    ///
    /// - Throws: `file-path.collision`, naming both paths.
    public mutating func insert(_ path: FilePath) throws(SnpackError) {
        var directory: UInt32 = 0
        var rest = path.rawValue.utf8[...]
        while true {
            let segment = rest.prefix { $0 != UInt8(ascii: "/") }
            let isFile = segment.endIndex == rest.endIndex
            let name = String(Substring(segment))
            let place = Place(directory: directory, name: name.folded)
            if let entry = entries[place] {
                let spelling = spellings[place] ?? place.name
                guard spelling.utf8.elementsEqual(name.utf8), !isFile, entry != 0 else {
                    throw collision(path, upTo: segment, spelling, isFile: isFile, otherIsFile: entry == 0)
                }
                directory = entry
            } else {
                if !isFile { directoryCount += 1 }
                directory = isFile ? 0 : directoryCount
                entries[place] = directory
                if !place.name.utf8.elementsEqual(name.utf8) { spellings[place] = name }
            }
            if isFile { return }
            rest = rest[rest.index(after: segment.endIndex)...]
        }
    }

    /// Checks the paths of one layer.
    ///
    /// - Throws: `file-path.collision` for the first that cannot stand beside those before it.
    public static func check(_ paths: some Sequence<FilePath>) throws(SnpackError) {
        var set = FilePathSet()
        for path in paths { try set.insert(path) }
    }

    private func collision(
        _ path: FilePath, upTo segment: Substring.UTF8View, _ spelling: String, isFile: Bool, otherIsFile: Bool
    ) -> SnpackError {
        let parent = String(Substring(path.rawValue.utf8[..<segment.startIndex]))
        let here = parent + String(Substring(segment))
        let other = parent + spelling
        let message =
            if here.utf8.elementsEqual(other.utf8) {
                isFile && otherIsFile ? "\(quoted(here)) stands twice" : "\(quoted(here)) is a file and a directory"
            } else {
                "\(quoted(here)) and \(quoted(other)) are the same name on some file systems"
            }
        return SnpackError(.filePathCollision, message, hint: "rename one of them")
    }
}

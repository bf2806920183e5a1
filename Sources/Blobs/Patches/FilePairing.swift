/// Which old file each new file most likely comes from.
struct FilePairing {
    /// Old files tried for a new one that shares no piece with any.
    private static let kinLimit = 64

    /// The old file of the same path; where there is none nil.
    static func byPath(old: PieceIndex, new: PieceIndex) -> [Int?] {
        // Both are ascending by path bytes, so one walk over both finds all pairs.
        var pairs: [Int?] = []
        pairs.reserveCapacity(new.files.count)
        var candidate = 0
        for file in new.files {
            while candidate < old.files.count, old.files[candidate].path.utf8.lexicographicallyPrecedes(file.path.utf8)
            {
                candidate += 1
            }
            let isSame = candidate < old.files.count && old.files[candidate].path.utf8.elementsEqual(file.path.utf8)
            pairs.append(isSame ? candidate : nil)
        }
        return pairs
    }

    /// Adds to `pairs` for files that are new by path: the old file with which they share most, else one that is gone, of
    /// the same extension and the nearest size.
    static func completed(_ pairs: [Int?], old: PieceIndex, new: PieceIndex, runs: [EqualRun]) -> [Int?] {
        var pairs = pairs
        guard pairs.contains(nil) else { return pairs }
        var shared: [Int: UInt64] = [:]
        var open = 0
        func close() {
            defer { shared = [:] }
            guard open < pairs.count, pairs[open] == nil else { return }
            pairs[open] = shared.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        }
        for run in runs {
            let file = new.file(at: run.new.lowerBound)
            if file != open {
                close()
                open = file
            }
            if pairs[file] == nil { shared[old.file(at: run.oldOffset), default: 0] += run.count }
        }
        close()

        let taken = Set(pairs.compactMap(\.self))
        var gone: [String: [Int]] = [:]
        for file in old.files.indices where !taken.contains(file) {
            gone[kind(old.files[file].path), default: []].append(file)
        }
        for file in new.files.indices where pairs[file] == nil {
            let size = new.files[file].range.count
            let kin = gone[kind(new.files[file].path), default: []].prefix(kinLimit)
            pairs[file] = kin.min { abs(old.files[$0].range.count - size) < abs(old.files[$1].range.count - size) }
        }
        return pairs
    }

    /// What follows the last dot of the name.
    private static func kind(_ path: String) -> String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(Substring(name[dot...]))
    }
}

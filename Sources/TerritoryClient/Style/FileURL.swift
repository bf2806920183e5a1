/// `file:` URLs as map renderers read them.
enum FileURL {
    /// The URL of an absolute path; `{` and `}` stay as they are, for they are placeholders in a style.
    static func text(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let encoded = path.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: [byte]
            case _ where "/-._~{}@,+".utf8.contains(byte): [byte]
            default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return "file://" + String(decoding: encoded, as: UTF8.self)
    }

    /// `path` without `.` and `..`, which renderers do not resolve.
    static func text(_ path: String, relativeTo directory: String) -> String {
        var segments = directory.split(separator: "/")
        for segment in path.split(separator: "/") where segment != "." {
            if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
        }
        return text("/" + segments.joined(separator: "/"))
    }
}

import Diagnostics
import Glibc

/// Looks at a file before SQLite does: SQLite would wait on a FIFO, and make files beside a WAL database.
enum DatabaseFile {
    /// The header's bytes, fewer where the file is shorter. Regular files only.
    static func head(of path: String) throws(SnpackError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw failure(path, "it is not a regular file")
        }
        var bytes = [UInt8](repeating: 0, count: DatabaseHeader.byteCount)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw failure(path, String(cString: strerror(errno))) }
        return Array(bytes.prefix(count))
    }

    /// Makes an empty file that must not be there yet. An empty file is an empty database.
    static func makeEmpty(_ path: String) throws(SnpackError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw failure(path, String(cString: strerror(errno))) }
        close(descriptor)
    }

    /// `path` as an SQLite URI with `parameters`: every byte that could mean something in a URI is escaped.
    static func uri(_ path: String, _ parameters: String) -> String {
        var uri = path.hasPrefix("/") ? "file://" : "file:"
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                uri += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return "\(uri)?\(parameters)"
    }

    private static func failure(_ path: String, _ reason: String) -> SnpackError {
        SnpackError(.sqliteCannotOpen, "cannot open the database: \(reason)", path: path)
    }
}

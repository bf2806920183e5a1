import Database
package import Diagnostics
import DurableFiles
import Hashing
import TerritoryModel

/// What earlier builds found out, so that an unchanged layer costs a walk of its files and no more.
///
/// An SQLite database of questions and answers, each question the BLAKE3 of everything that the answer depends on. It
/// may be deleted at any time; with one that cannot be read or written, a build goes on without it. Each row carries a
/// BLAKE3 of itself, so that a damaged one is no answer. What somebody put there on purpose can spoil an unsigned
/// release, and no more: whoever signs or publishes proves every blob against its manifest.
package final class BuildCache {
    /// Where a cache lies, and whose answers count.
    package struct Place: Hashable, Sendable {
        package let directory: String
        /// The program that asks: another one's checks and blobs may differ, so its answers are none here.
        package let maker: String

        package init(directory: String, maker: String) {
            self.directory = directory
            self.maker = maker
        }
    }

    private static let fileName = "build.sqlite"
    private static let schemaVersion = 1
    /// An answer takes about half a kilobyte.
    private static let answerLimit = 50_000

    private let place: Place
    private let context: WorkContext
    /// Nil where there is no cache to ask.
    private var database: Database?
    private var findings: [(question: Blake3Digest, answer: [UInt8])] = []

    package init(at place: Place, context: WorkContext) {
        self.place = place
        self.context = context
        do throws(SnpackError) { database = try Self.open(place.directory) } catch { giveUp(error) }
    }

    // MARK: - Questions and answers

    func question(_ parts: JSONValue...) -> Blake3Digest {
        Blake3Digest.of(JSONValue.array([.string(place.maker)] + parts).canonicalBytes)
    }

    func answer(to question: Blake3Digest) -> JSONObject? {
        guard let database else { return nil }
        do throws(SnpackError) {
            let statement = try database.statement("SELECT answer, proof FROM answers WHERE question = ?")
            try statement.bind(question.bytes, at: 0)
            guard try statement.step() else { return nil }
            let answer = statement.bytes(at: 0)
            guard statement.bytes(at: 1) == Self.proof(question, answer) else { return nil }
            return try StrictJSON.parse(answer).objectValue
        } catch {
            giveUp(error)
            return nil
        }
    }

    /// Keeps an answer until ``save()``.
    func remember(_ answer: JSONObject, to question: Blake3Digest) {
        findings.append((question, JSONValue.object(answer).canonicalBytes))
    }

    /// Writes what was remembered: in one short transaction, since another build may use the cache, too.
    package func save() {
        guard let database, !findings.isEmpty else { return }
        do throws(SnpackError) {
            try database.transaction { () throws(SnpackError) in
                let insert = try database.statement("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)")
                for (question, answer) in findings {
                    try insert.run(.blob(question.bytes), .blob(answer), .blob(Self.proof(question, answer)))
                }
                try database.execute(
                    "DELETE FROM answers WHERE rowid <= (SELECT max(rowid) FROM answers) - \(Self.answerLimit)")
            }
            findings = []
        } catch { giveUp(error) }
    }

    private static func proof(_ question: Blake3Digest, _ answer: [UInt8]) -> [UInt8] {
        Blake3Digest.of(question.bytes + answer).bytes
    }

    // MARK: - The file

    private static func open(_ path: String) throws(SnpackError) -> Database {
        let directory = try Directory.create(path)
        if try !directory.contains(fileName) { try make(in: directory) }
        let database = try Database.editing(directory.path(of: fileName), limits: DatabaseLimits())
        // A cache that a power cut spoils is made anew.
        try database.execute("PRAGMA synchronous=OFF")
        guard try database.value("PRAGMA user_version")?.integer == Int64(schemaVersion) else {
            throw SnpackError(.sqliteNotADatabase, "it is no build cache of this version", path: database.name)
        }
        return database
    }

    /// Makes an empty cache apart from its place first: a second build may be about to do the same.
    private static func make(in directory: Directory) throws(SnpackError) {
        try directory.removeLeftovers()
        let staging = try directory.makeStagingDirectory(mode: 0o700)
        try Database.create(staging.contents.path(of: fileName)).execute(
            """
            CREATE TABLE answers(question BLOB UNIQUE NOT NULL, answer BLOB NOT NULL, proof BLOB NOT NULL);
            PRAGMA user_version=\(schemaVersion)
            """)
        do { try staging.contents.rename(fileName, to: fileName, in: directory, replacing: false) } catch
            where error.code == .fileExists
        {}
    }

    /// Goes on without. A file that is no cache, or a damaged one, makes room for the next build's.
    private func giveUp(_ error: SnpackError) {
        database = nil
        context.report.note("the build cache is not used: \(error)")
        guard [.sqliteNotADatabase, .sqliteMalformed, .sqliteFailed].contains(error.code) else { return }
        try? Directory.open(place.directory).remove(Self.fileName)
    }
}

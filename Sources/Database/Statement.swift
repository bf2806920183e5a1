import CSQLite
package import Diagnostics

/// One value in or out of a database.
package enum DatabaseValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    package var text: String? { if case .text(let value) = self { value } else { nil } }
}

/// What SQLite stored in a column of a row.
package enum DatabaseType: Hashable, Sendable { case null, integer, real, text, blob }

/// A prepared statement. Owns its handle, and keeps its database open. Columns and parameters count from 0.
package final class Statement {
    private let handle: OpaquePointer
    private let database: Database

    init(_ sql: String, on database: Database) throws(SnpackError) {
        var prepared: OpaquePointer?
        try database.check(
            sqlite3_prepare_v3(database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
        guard let prepared else { preconditionFailure("no statement in \(sql.debugDescription)") }
        handle = prepared
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    // MARK: Parameters

    package func bind(_ value: DatabaseValue, at index: Int) throws(SnpackError) {
        switch value {
        case .null: try database.check(sqlite3_bind_null(handle, Int32(index + 1)))
        case .integer(let value): try bind(value, at: index)
        case .real(let value): try bind(value, at: index)
        case .text(let value): try bind(value, at: index)
        case .blob(let value): try bind(value, at: index)
        }
    }

    package func bind(_ value: Int64, at index: Int) throws(SnpackError) {
        try database.check(sqlite3_bind_int64(handle, Int32(index + 1), value))
    }

    package func bind(_ value: Double, at index: Int) throws(SnpackError) {
        try database.check(sqlite3_bind_double(handle, Int32(index + 1), value))
    }

    package func bind(_ value: String, at index: Int) throws(SnpackError) {
        var value = value
        let status = value.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                snpack_sqlite_bind_text(handle, Int32(index + 1), $0.baseAddress, UInt64($0.count))
            }
        }
        try database.check(status)
    }

    package func bind(_ value: [UInt8], at index: Int) throws(SnpackError) {
        let status = value.withUnsafeBytes {
            snpack_sqlite_bind_blob(handle, Int32(index + 1), $0.baseAddress, UInt64($0.count))
        }
        try database.check(status)
    }

    package func bind(_ values: [DatabaseValue]) throws(SnpackError) {
        for (index, value) in values.enumerated() { try bind(value, at: index) }
    }

    // MARK: Running

    /// Moves to the next row; false when there is none.
    package func step() throws(SnpackError) -> Bool {
        let status = sqlite3_step(handle)
        try database.check(status)
        return status == SQLITE_ROW
    }

    /// Back to the start, bindings kept. What a failed step returned is not told again.
    package func reset() { sqlite3_reset(handle) }

    /// Binds, runs to the end and resets.
    package func run(_ values: DatabaseValue...) throws(SnpackError) {
        defer { reset() }
        try bind(values)
        while try step() {}
    }

    /// Binds, hands every row to `body`, and resets.
    package func forEach(
        _ values: DatabaseValue..., do body: (Statement) throws(SnpackError) -> Void
    ) throws(SnpackError) {
        defer { reset() }
        try bind(values)
        while try step() { try body(self) }
    }

    // MARK: Columns of the current row

    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    package func columnName(at index: Int) -> String {
        sqlite3_column_name(handle, Int32(index)).map { String(cString: $0) } ?? ""
    }

    package func type(at index: Int) -> DatabaseType {
        switch sqlite3_column_type(handle, Int32(index)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// The value as SQLite stored it; text that is no UTF-8 is repaired.
    package func value(at index: Int) -> DatabaseValue {
        switch type(at: index) {
        case .null: .null
        case .integer: .integer(integer(at: index))
        case .real: .real(real(at: index))
        case .text: .text(text(at: index))
        case .blob: .blob(bytes(at: index))
        }
    }

    /// SQLite's conversion: NULL and text that is no number are 0.
    package func integer(at index: Int) -> Int64 { sqlite3_column_int64(handle, Int32(index)) }

    package func real(at index: Int) -> Double { sqlite3_column_double(handle, Int32(index)) }

    /// NULL is empty; text that is no UTF-8 is repaired.
    package func text(at index: Int) -> String {
        guard let start = sqlite3_column_text(handle, Int32(index)) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, Int32(index)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A blob's or text's bytes as they lie in the file; NULL is empty.
    package func bytes(at index: Int) -> [UInt8] { withBytes(at: index) { Array($0) } }

    /// The same without a copy; valid within `body` only.
    package func withBytes<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = sqlite3_column_blob(handle, Int32(index))
        let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, Int32(index)))
        return body(UnsafeRawBufferPointer(start: start, count: count))
    }
}

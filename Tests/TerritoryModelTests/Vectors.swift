import Diagnostics
import Foundation
import SnpackTestSupport
import Testing

/// One vector file, read by Foundation, whose strings are not touched by the code under test.
struct VectorFile {
    private let root: Any

    init(_ name: String) throws { root = try ProjectFiles.vector(name) }

    /// What stands at these keys.
    func value<Value>(_ keys: String..., as type: Value.Type = Value.self) throws -> Value {
        var value = root
        for key in keys { value = try #require((value as? [String: Any])?[key], "\(key) is not in the vectors") }
        return try #require(value as? Value)
    }
}

/// The error that `body` throws; fails the test if there is none or another kind.
func fault(sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void) throws -> SnpackError {
    try #require(throws: SnpackError.self, sourceLocation: sourceLocation, performing: body)
}

/// True if `body` throws nothing, false if it throws an error of ours.
func accepts(_ body: () throws -> Void) -> Bool {
    do {
        try body()
        return true
    } catch {
        #expect(error is SnpackError)
        return false
    }
}

import Arguments
import Diagnostics
import Testing

/// What the words parse to; a test fails where they do not ask for a command to run.
func parsed(_ words: String...) throws -> ParsedArguments {
    let invocation = try ArgumentParser.parse(words, by: SampleProgram.spec)
    guard case .run(let arguments) = invocation else {
        throw SnpackError(.interrupted, "\(words) does not run a command but gives \(invocation)")
    }
    return arguments
}

/// The error that the words give.
func refusal(_ words: String...) -> SnpackError? {
    do throws(SnpackError) {
        _ = try ArgumentParser.parse(words, by: SampleProgram.spec)
        return nil
    } catch {
        return error
    }
}

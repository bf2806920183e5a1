import CLibFuzzer
import Glibc
import OutsideReaders

// libFuzzer around one reader: snpack-fuzz NAME [libFuzzer's words]. Built by scripts/fuzz alone.

guard CommandLine.arguments.count > 1, let reader = OutsideReader(rawValue: CommandLine.arguments[1]) else {
    for reader in OutsideReader.allCases { print(reader.rawValue) }
    exit(CommandLine.arguments.count > 1 ? 2 : 0)
}

/// What the callback, which can capture nothing, hands its bytes to.
let chosen: OutsideReader = reader

var words = ([CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)).map { strdup($0) } + [nil]
var count = Int32(words.count - 1)
let status = words.withUnsafeMutableBufferPointer { buffer in
    var start = buffer.baseAddress
    return LLVMFuzzerRunDriver(&count, &start) { bytes, count in
        chosen.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}
exit(status)

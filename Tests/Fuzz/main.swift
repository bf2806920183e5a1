import CLibFuzzer
import Glibc
import OutsideReaders

// libFuzzer around the reader that SNPACK_FUZZ_READER names, for the processes, too, that libFuzzer starts of its own with
// nothing but its words. Built by scripts/fuzz alone.

guard let reader = OutsideReader(rawValue: getenv("SNPACK_FUZZ_READER").map { String(cString: $0) } ?? "") else {
    for reader in OutsideReader.allCases { print(reader.rawValue) }
    exit(2)
}

/// What the callback, which can capture nothing, hands its bytes to.
let chosen: OutsideReader = reader

var words = CommandLine.arguments.map { strdup($0) } + [nil]
var count = Int32(words.count - 1)
let status = words.withUnsafeMutableBufferPointer { buffer in
    var start = buffer.baseAddress
    return LLVMFuzzerRunDriver(&count, &start) { bytes, count in
        chosen.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
    }
}
exit(status)

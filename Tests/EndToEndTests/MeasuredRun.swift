import Foundation
import SnpackTestSupport
import Testing

/// A run of the built program, with the most memory that it held at once.
struct MeasuredRun {
    let status: Int
    let standardOutput: String
    let standardError: String
    /// Peak resident set, in bytes.
    let peakByteCount: Int
    let seconds: Double

    init(_ words: [String], in directory: URL? = nil, seconds: Double = 600) throws {
        // The kernel tells it to whoever waits for the process; Foundation does not pass it on.
        let script = """
            import json, resource, subprocess, sys, time
            began = time.time()
            run = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, capture_output=True)
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            print(json.dumps([run.returncode, run.stdout.decode(), run.stderr.decode(), usage.ru_maxrss, time.time() - began]))
            """
        let result = try SystemTool.run(
            "python3", ["-c", script, SnpackProcess.path] + words, in: directory, seconds: seconds)
        let values = try #require(
            JSONSerialization.jsonObject(with: Data(result.output)) as? [Any], "\(words): \(result)")
        status = try #require(values[0] as? Int)
        standardOutput = try #require(values[1] as? String)
        standardError = try #require(values[2] as? String)
        peakByteCount = try #require(values[3] as? Int) * 1_024
        self.seconds = try #require(values[4] as? Double)
    }
}

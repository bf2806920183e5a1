import Diagnostics

/// Faults and warnings about one file of a style, in the order they were found.
struct StyleFindings: Sendable {
    /// What to call the file.
    let path: String
    private(set) var faults = FaultList()
    private(set) var warnings: [SnpackError] = []

    init(_ path: String) { self.path = path }

    mutating func fault(_ code: ErrorCode, _ message: String, hint: String? = nil) {
        faults.add(SnpackError(code, message, hint: hint, path: path))
    }

    mutating func warn(_ code: ErrorCode, _ message: String, hint: String? = nil) {
        guard warnings.count < FaultList.limit else { return }
        warnings.append(SnpackError(code, message, hint: hint, path: path))
    }

    func add(to facts: inout LayerFacts) {
        facts.faults.add(contentsOf: faults)
        facts.warnings += warnings
    }
}

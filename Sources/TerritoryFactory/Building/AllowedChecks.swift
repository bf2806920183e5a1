import Diagnostics

/// The layer checks that a person made into warnings with `--allow`.
package struct AllowedChecks: Sendable {
    private let codes: Set<String>
    private let allowsAll: Bool
    /// The codes that kept something from being a fault, for the manifest's provenance.
    private(set) var used: Set<String> = []

    /// - Parameter codes: names of codes, or `all`.
    package init(_ codes: [String]) {
        allowsAll = codes.contains("all")
        self.codes = Set(codes)
    }

    /// Splits the faults that a layer check found into those that stay and those that only warn.
    mutating func split(_ found: FaultList) -> (faults: FaultList, warnings: [SnpackError]) {
        var faults = FaultList()
        var warnings: [SnpackError] = []
        for fault in found.faults {
            if allowsAll || codes.contains(fault.code.name) {
                used.insert(fault.code.name)
                warnings.append(fault)
            } else {
                faults.add(fault)
            }
        }
        return (faults, warnings)
    }
}

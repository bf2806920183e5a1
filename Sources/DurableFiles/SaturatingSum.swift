extension UInt64 {
    /// The sum, or 2^64 − 1: three files that are mostly holes can claim more.
    package func saturatingAdd(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

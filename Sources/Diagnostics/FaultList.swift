/// Collects faults, so that a person hears of all of them and not of the first alone.
///
/// The first ``limit`` are kept, and the first of every code, so that no kind of fault hides behind another; the rest is
/// counted.
package struct FaultList: Sendable {
    package static let limit = 1_000
    package private(set) var faults: [SnpackError] = []
    package private(set) var count = 0
    private var codes: Set<ErrorCode> = []

    package init() {}

    package var isEmpty: Bool { count == 0 }

    package mutating func add(_ fault: SnpackError) {
        count += 1
        let isNewKind = codes.insert(fault.code).inserted
        if faults.count < Self.limit || isNewKind { faults.append(fault) }
    }

    package mutating func add(contentsOf other: FaultList) {
        for fault in other.faults { add(fault) }
        count += other.count - other.faults.count
    }

    /// Runs `body` and keeps what it throws.
    package mutating func collect(_ body: () throws(SnpackError) -> Void) {
        do { try body() } catch { add(error) }
    }

    /// Throws the one fault, or one error whose details are all of them; returns if there are none.
    package func throwIfAny(_ summary: String) throws(SnpackError) {
        guard let first = faults.first else { return }
        if count == 1 { throw first }
        throw SnpackError(
            ErrorCode(first.code.name, commonStatus), "\(summary): \(count) faults", hint: first.hint, details: faults)
    }

    /// The faults' shared exit status, or the first one's that is not "too new".
    package var commonStatus: ExitStatus {
        faults.first { $0.code.exitStatus != .unsupported }?.code.exitStatus
            ?? faults.first?.code.exitStatus ?? .done
    }
}

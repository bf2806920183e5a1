/// Cuts content into pieces whose ends the content itself decides, so that an insertion moves the pieces behind it and
/// changes none of them.
///
/// A piece ends where a rolling sum of the last 64 bytes has its upper bits 0; pieces measure ½ KiB to 64 KiB.
struct PieceCutter {
    private static let longest = 64 << 10

    private let shortest: Int
    private let mask: UInt64
    private let gear: [UInt64]
    private var sum: UInt64 = 0
    /// The open piece, as far as it came in earlier calls.
    private var pending: [UInt8] = []

    /// - Parameter averageByteCount: a power of 2.
    init(averageByteCount: Int) {
        shortest = averageByteCount / 4
        mask = UInt64(averageByteCount - 1) << UInt64(64 - averageByteCount.trailingZeroBitCount)
        var state: UInt64 = 0
        gear = (0..<256).map { _ in
            state &+= 0x9E37_79B9_7F4A_7C15
            return PieceHash.mixed(state, 0xBF58_476D_1CE4_E5B9)
        }
    }

    /// Takes the next bytes of a file; `take` gets the hash and length of each piece that ends in them.
    mutating func add(_ bytes: UnsafeRawBufferPointer, _ take: (UInt64, Int) -> Void) {
        var rest = bytes
        while !rest.isEmpty {
            let (count, ends) = scan(rest)
            let part = UnsafeRawBufferPointer(rebasing: rest[..<count])
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            if ends && pending.isEmpty {
                take(PieceHash.of(part), count)
                sum = 0
            } else {
                pending.append(contentsOf: part)
                if ends { finish(take) }
            }
        }
    }

    /// Ends the open piece at the file's end.
    mutating func finish(_ take: (UInt64, Int) -> Void) {
        if !pending.isEmpty { take(pending.withUnsafeBytes(PieceHash.of), pending.count) }
        pending.removeAll(keepingCapacity: true)
        sum = 0
    }

    /// How many of `bytes` belong to the open piece, and whether it ends with them.
    private mutating func scan(_ bytes: UnsafeRawBufferPointer) -> (count: Int, ends: Bool) {
        var index = max(0, shortest - pending.count)
        let end = min(bytes.count, Self.longest - pending.count)
        var sum = self.sum
        let mask = mask
        let cut = gear.withUnsafeBufferPointer { gear -> Bool in
            while index < end {
                sum = (sum << 1) &+ gear[Int(bytes[index])]
                index += 1
                if sum & mask == 0 { return true }
            }
            return false
        }
        self.sum = sum
        if cut { return (index, true) }
        return (max(0, end), end == Self.longest - pending.count)
    }
}

/// A quick hash of 64 bits. Two pieces with equal hashes are taken for equal in plans only; bytes are compared before a
/// patch relies on it.
enum PieceHash {
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = mixed(UInt64(bytes.count) ^ 0x2D35_8DCC_AA6C_78A5, 0x8BB8_4B93_962E_ACC9)
        var offset = 0
        while offset + 8 <= bytes.count {
            hash = mixed(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self), 0x4B33_A62E_D433_D4A3)
            offset += 8
        }
        var last: UInt64 = 0
        for byte in bytes[offset...] { last = last << 8 | UInt64(byte) }
        return mixed(hash ^ last, 0x9FB2_1C65_1E98_DF25)
    }

    @inline(__always) static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

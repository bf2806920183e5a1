import Diagnostics
import TerritoryFactory
import TerritoryModel
import Testing

@Suite struct IndexSuccessionTests {
    private let live = 1_796_083_200 as Int64

    /// What signs the next index `seconds` after the live one, of which `validity` were told.
    private func next(_ seconds: Int64, validity: Int64? = nil, adopt: Bool = false) throws -> ChannelIndex {
        let index = try ChannelIndex(
            channel: .main, sequence: 7, publishedAt: Timestamp(secondsSince1970: live),
            expiresAt: Timestamp(secondsSince1970: live + 30 * 86_400), territories: [])
        var succession = IndexSuccession(now: Timestamp(secondsSince1970: live + seconds))
        succession.validity = validity
        succession.adopt = adopt
        return try succession.next([], name: .main, live: index, state: SignerState())
    }

    @Test("a clock that lost its time signs nothing, for that would be expired for everybody else")
    func aClockThatIsBehind() throws {
        for (seconds, validity) in [(-86_401, nil), (-1_700_000_000, nil), (-43_200, 43_200)] as [(Int64, Int64?)] {
            let fault = #expect(throws: SnpackError.self) { _ = try next(seconds, validity: validity) }
            #expect(fault?.code.name == "channel.clock-behind")
            #expect(try next(seconds, validity: validity, adopt: true).sequence == 8)
        }
        for (seconds, validity) in [(-86_400, nil), (-43_200, 43_201), (0, 1), (5, nil)] as [(Int64, Int64?)] {
            #expect(try next(seconds, validity: validity).publishedAt.secondsSince1970 == live + seconds)
        }
    }
}

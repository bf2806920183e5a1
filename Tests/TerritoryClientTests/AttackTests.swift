import Testing

@Suite struct AttackTests {
    @Test func thereAreEnoughRows() {
        let all = [AttackRow.signatures, AttackRow.reading, AttackRow.marks, AttackRow.versions, AttackRow.content]
        #expect(all.joined().count >= 80)
    }

    @Test(arguments: AttackRow.signatures) func signature(_ row: AttackRow) async throws { try await row.run() }
    @Test(arguments: AttackRow.reading) func reading(_ row: AttackRow) async throws { try await row.run() }
    @Test(arguments: AttackRow.marks) func mark(_ row: AttackRow) async throws { try await row.run() }
    @Test(arguments: AttackRow.versions) func version(_ row: AttackRow) async throws { try await row.run() }
    @Test(arguments: AttackRow.content) func content(_ row: AttackRow) async throws { try await row.run() }
}

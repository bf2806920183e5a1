import Foundation
import Signing
import Testing

@Suite struct ProcessSecretsTests {
    // Changes this test process for good, which harms no other test: nobody here needs a core dump.
    @Test func coreDumpsAreOffAfterwards() throws {
        try ProcessSecrets.forbidCoreDumps()
        var limit = rlimit()
        #if canImport(Glibc)
            #expect(getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0)
        #else
            #expect(getrlimit(RLIMIT_CORE, &limit) == 0)
        #endif
        #expect(limit.rlim_cur == 0 && limit.rlim_max == 0)
        try ProcessSecrets.forbidCoreDumps()
    }
}

import Diagnostics
import Foundation
import SnpackTestSupport
import TerritoryClient
import TerritoryModel
import Testing

/// One attack or accident: what is prepared, what must come of it, and what must not be asked for.
struct AttackRow: Sendable, CustomTestStringConvertible {
    enum Expected: Sendable, Equatable {
        case refused(String)
        case installed(String), updated(String)
        case upToDate, held, cancelled
    }

    let name: String
    let expected: Expected
    /// False: nothing is installed before.
    var isUpdate = true
    /// No request may have one of these in its path.
    var mustNotRequest: [String] = []
    /// Requests that must have been made so often.
    var requestCounts: [String: Int] = [:]
    let prepare: @Sendable (inout Scene) async throws -> Void

    var testDescription: String { name }

    init(
        _ name: String, _ expected: Expected, isUpdate: Bool = true, mustNotRequest: [String] = [],
        requestCounts: [String: Int] = [:], _ prepare: @escaping @Sendable (inout Scene) async throws -> Void
    ) {
        self.name = name
        self.expected = expected
        self.isUpdate = isUpdate
        self.mustNotRequest = mustNotRequest
        self.requestCounts = requestCounts
        self.prepare = prepare
    }

    /// Runs the row and judges everything about it.
    func run() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            var scene = try Scene(home: home)
            if isUpdate { try await scene.install100() } else { scene.facts.sequence = 6 }
            try await prepare(&scene)
            scene.channel.forgetRequests()
            let found = await outcome(scene)
            #expect(found == expected, "\(name)")
            for part in mustNotRequest {
                #expect(!scene.channel.requests.contains { $0.path.contains(part) }, "\(scene.channel.requests)")
            }
            for (path, count) in requestCounts {
                #expect(scene.channel.requests.count { $0.path == path } == count, "\(scene.channel.requests)")
            }
            let unsound = try await scene.unsoundness(expecting: versionAfterwards)
            #expect(unsound == [], "\(name)")
        }
    }

    private var versionAfterwards: String? {
        switch expected {
        case .installed(let version), .updated(let version): version
        case .refused, .upToDate, .held, .cancelled: isUpdate ? "1.0.0" : nil
        }
    }

    private func outcome(_ scene: Scene) async -> Expected {
        do throws(SnpackError) {
            let store: TerritoryStore
            let id: TerritoryID
            do {
                store = try scene.store()
                id = try scene.territory()
            } catch { return .refused("no scene: \(error)") }
            switch try await store.install(id, from: scene.channel, scene.request).outcome {
            case .installed(let result): return .installed(result.territory.version)
            case .updated(let result): return .updated(result.territory.version)
            case .upToDate: return .upToDate
            case .held: return .held
            case .cancelled: return .cancelled
            }
        } catch { return .refused(error.code.name) }
    }
}

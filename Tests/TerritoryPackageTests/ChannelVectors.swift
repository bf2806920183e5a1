import Diagnostics
import DurableFiles
import Foundation
import Signing
import SnpackTestSupport
import TerritoryModel
import TerritoryPackage
import Testing

@Suite struct ChannelVectors {
    private func keys() throws -> PinnedKeys {
        try PinnedKeys(
            factory: [FactoryKey(parsing: VectorChannel.key("factory_public"))],
            region: [RegionKey(parsing: VectorChannel.key("region_public"))])
    }

    private func report(
        _ url: URL, depth: ProofDepth = .deep, jobs: Int = 2, isPartial: Bool = false
    ) throws -> ChannelProof.Report {
        let proof = try ChannelProof(
            ChannelDirectory(Directory.open(url.path)), keys: keys(), depth: depth, isPartial: isPartial,
            now: Timestamp(secondsSince1970: 1_796_083_200), context: WorkContext(jobs: jobs))
        return try proof.report()
    }

    @Test(arguments: [1, 2, 8])
    func goodChannelsVerify(jobs: Int) throws {
        let country = try report(VectorChannel.ok, jobs: jobs)
        #expect(country.faults.faults == [])
        #expect(country.releaseCount == 2)
        #expect(country.blobCount == 8)
        let region = try report(VectorChannel.region, jobs: jobs)
        #expect(region.faults.faults == [])
        #expect(region.releaseCount == 1)
    }

    @Test func vectorsAreThere() { #expect(VectorChannel.bad.count == 29) }

    @Test(arguments: VectorChannel.bad)
    func badChannelIsRefused(_ channel: VectorChannel) throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let url = directory.appending(path: "channel")
            try channel.lay(out: url)
            let report = try report(url)
            #expect(report.faults.commonStatus.rawValue == channel.exit, "\(report.faults.faults)")
            #expect(report.faults.faults.allSatisfy { $0.path != nil }, "\(report.faults.faults)")
        }
    }

    @Test func archiveVerifies() throws {
        let path = ProjectFiles.vectors.appending(path: "liechtenstein-1.1.0.snpkg").path
        let archive = try PackageArchive(OpenFile(reading: path))
        let manifest = try keys().verifyManifest(archive.manifestBytes, signature: archive.signatureBytes).document
        let proof = PackageProof(depth: .deep, context: WorkContext(jobs: 2))
        #expect(proof.faults(of: archive, manifest).faults == [])
    }
}

import Blobs
import Diagnostics
import DurableFiles
import Hashing
import TerritoryModel
import TerritoryPackage

/// Fetches one patch into the cache, going on where an earlier run stopped. It is proven whole, by its signed BLAKE3.
struct PatchDownload {
    let fetcher: ChannelFetcher
    let cache: BlobCache
    let patch: Manifest.Patch
    /// Where the channel has it.
    let path: String
    let report: any ProgressReporter

    /// The whole patch in the cache's file; what it is, the patch reader proves again.
    func run() throws(SnpackError) -> GrowingFile {
        let part = try cache.part(of: patch.blake3)
        // A file that was made for nothing is no parked download.
        defer { if part.byteCount == 0 { try? cache.drop(patch.blake3) } }
        if part.byteCount > patch.byteCount { try part.truncate(to: 0) }
        for isPastCaches in [false, true] {
            if try complete(part, isPastCaches), try Blake3Digest.of(part, cancel: fetcher.cancel) == patch.blake3 {
                return part
            }
            try part.truncate(to: 0)
        }
        throw SnpackError(
            .blobMismatch, "the patch does not have the signed BLAKE3", path: fetcher.location(of: path))
    }

    /// False where what is there can't be gone on with.
    private func complete(_ part: GrowingFile, _ isPastCaches: Bool) throws(SnpackError) -> Bool {
        guard part.byteCount < patch.byteCount else { return true }
        let range = part.byteCount == 0 ? nil : part.byteCount..<patch.byteCount
        let request = ChannelRequest(path, size: patch.byteCount, range: range, isPastCaches: isPastCaches)
        let answer = try fetcher.layerFile(request) { (bytes) throws(SnpackError) in
            report.advance(UInt64(bytes.count))
            try part.append(bytes)
        }
        if answer == .notFound {
            throw SnpackError(.fileMissing, "the patch is not there", path: fetcher.location(of: path))
        }
        return answer == .complete
    }
}

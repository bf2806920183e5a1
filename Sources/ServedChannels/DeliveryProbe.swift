package import Diagnostics
import Hashing
package import TerritoryModel
import TerritoryPackage
import Transfer

/// Asks what a plain download does not: ranges, compression, files that are not there.
package struct DeliveryProbe: Sendable {
    /// Servers go by names and extensions, so one file of each name is asked for.
    private static let fileLimit = 16

    private let channel: ServedChannel
    private var found: FoundFaults { channel.found }

    package init(_ channel: ServedChannel) { self.channel = channel }

    /// Everything that is wrong with the way the channel is served, and what could be better. Faults of content are not
    /// looked for.
    package func findings(index: ChannelIndex?) -> (faults: [SnpackError], warnings: [SnpackError]) {
        for name in [ChannelFile.signed, ChannelFile.index] { probeCompression(name) }
        probeMissing("snpack-probe-of-a-missing-file")
        probeMissing("territories/snpack-probe/0.0.0/layers/0000000000000000/missing.tar.zst")
        var names: Set<String> = []
        for release in index.map(releases) ?? [] {
            probeCompression(release.path)
            for (path, byteCount, blake3) in release.files {
                guard names.count < Self.fileLimit, let name = path.split(separator: "/").last else { break }
                guard names.insert(name.hasSuffix(".patch") ? "patch" : String(name)).inserted else { continue }
                probeCompression(path)
                probeRanges(path, byteCount, blake3)
            }
        }
        return (found.faults, found.warnings)
    }

    private struct Release {
        let path: String
        var files: [(path: String, byteCount: UInt64, blake3: Blake3Digest)]
    }

    /// Manifests that are here of the first and the last territory.
    private func releases(_ index: ChannelIndex) -> [Release] {
        let ends = [index.territories.first, index.territories.count > 1 ? index.territories.last : nil]
        return ends.compactMap { territory in
            guard let name = territory?.latest.name,
                let bytes = (try? channel.document(name.manifestPath, limit: Limits.manifestBytes)) ?? nil,
                let manifest = try? Manifest(decoding: bytes)
            else { return nil }
            var release = Release(path: name.manifestPath, files: [])
            for layer in manifest.layers {
                release.files.append(
                    ("\(name.directory)/\(layer.blobPath)", layer.blob.byteCount, layer.blob.blake3))
                for patch in layer.patches {
                    release.files.append(("\(name.directory)/\(layer.path(of: patch))", patch.byteCount, patch.blake3))
                }
            }
            return release
        }
    }

    private func add(_ code: ErrorCode, _ message: String, _ hint: String, _ path: String, isFault: Bool = true) {
        found.add(
            SnpackError(code, message, hint: hint, path: channel.path(of: path)), ChannelFileKind(ofPath: path),
            isFault: isFault)
    }

    // MARK: - Compression

    private func probeCompression(_ path: String) {
        guard let address = try? channel.url.url(of: path) else { return }
        var request = HTTPRequest(address, size: .atMost(.max))
        request.welcomesEncodings = true
        var codings: [String] = []
        do throws(SnpackError) {
            _ = try channel.client.fetch(request, cancel: channel.cancel) { head throws(SnpackError) in
                codings = head.contentCodings
                return .stop
            } consume: { _ in
            }
        } catch { if error.code == .transferEncoded { codings = ["another than gzip"] } }
        guard !codings.isEmpty else { return }
        add(
            .servedEncoded,
            "the server compresses it (Content-Encoding \(codings.joined(separator: ", "))) for clients that allow it: "
                + "they lose the exact bytes, length, ETag and ranges",
            "turn compression off for the channel (nginx: gzip off; Caddy: no encode)", path)
    }

    // MARK: - Files that are not there

    private func probeMissing(_ path: String) {
        guard let address = try? channel.url.url(of: path) else { return }
        var isPage = false
        do throws(SnpackError) {
            let head = try channel.client.fetch(
                HTTPRequest(address, size: .atMost(.max)), cancel: channel.cancel
            ) { head throws(SnpackError) in
                isPage = head.isHTML
                return .stop
            } consume: { _ in
            }
            add(
                .servedMissingFileAnswered,
                "a file that is not there is answered with \(head.status)\(isPage ? " and an HTML page" : ""): "
                    + "clients take that for the file",
                "answer 404 for what is not there; no fallback to index.html below the channel", path)
        } catch {
            guard error.code != .transferNotFound, error.code != .interrupted else { return }
            add(
                .servedMissingFileStatus, "a file that is not there is not answered with 404: \(error.message)",
                "answer 404, by which clients know that a file is not there (S3: allow ListBucket)", path,
                isFault: false)
        }
    }

    // MARK: - Ranges

    private func probeRanges(_ path: String, _ byteCount: UInt64, _ blake3: Blake3Digest) {
        guard byteCount > 0, let address = try? channel.url.url(of: path) else { return }
        let middle = byteCount / 2..<min(byteCount, byteCount / 2 + 16)
        switch answer(HTTPRequest(address, size: .exactly(byteCount), range: middle)) {
        case .success(let head):
            channel.judge(head, path, blake3: blake3)
            guard head.part != nil else {
                return add(
                    .servedRangeIgnored,
                    "the server answers a Range request with the whole file: clients can neither resume nor repair",
                    "let the server answer ranges (nginx: no max_ranges 0; a CDN: allow range requests)", path)
            }
        case .failure(let error):
            // A missing or other file is the proof's to tell.
            guard error.code.name.hasPrefix("transfer.range") || error.code == .transferAnswerMalformed else { return }
            return add(.servedRangeWrong, "a range is answered wrongly: \(error.message)", "mend or replace it", path)
        }
        probeBeyondEnd(address, byteCount, path)
        probeIfRange(address, byteCount, path)
    }

    private func probeBeyondEnd(_ address: HTTPURL, _ byteCount: UInt64, _ path: String) {
        let request = HTTPRequest(address, size: .atMost(.max), range: byteCount..<byteCount + 1)
        if case .failure(let error) = answer(request), error.code == .transferRangeUnsatisfiable { return }
        add(
            .servedRangeBeyondEnd, "a range beyond the file's end is not answered with 416",
            "mend the server's ranges", path)
    }

    private func probeIfRange(_ address: HTTPURL, _ byteCount: UInt64, _ path: String) {
        let stranger = EntityTag(parsing: "\"snpack-probe-no-such-tag\"")
        let request = HTTPRequest(address, size: .exactly(byteCount), range: 0..<1, ifRange: stranger)
        switch answer(request) {
        case .success(let head) where head.part == nil: return
        case .failure(let error) where error.code != .transferContentChanged: return
        default:
            add(
                .servedIfRangeIgnored,
                "If-Range with a tag of another file is answered with a part: clients would join two files",
                "let the server honour If-Range, or not answer ranges", path)
        }
    }

    private func answer(_ request: HTTPRequest) -> Result<HTTPResponse, SnpackError> {
        Result { () throws(SnpackError) in
            try channel.client.fetch(request, cancel: channel.cancel) { _ throws(SnpackError) in
                .stop
            } consume: { _ in
            }
        }
    }
}

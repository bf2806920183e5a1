package import Diagnostics
package import Hashing
package import Transfer

/// Judges the heads of a channel's files: whether clients and caches can do with the file what a channel promises.
package struct HeadCheck: Sendable {
    /// An index that caches keep longer than this (seconds) leaves clients behind: the specification's is 60.
    package static let indexFreshnessLimit: UInt64 = 3_600
    /// Up to this it is nothing to talk about.
    package static let indexFreshnessSensible: UInt64 = 300
    /// Blobs that caches drop sooner than this cost who pays for the server: the specification's is a year.
    package static let blobFreshnessSensible: UInt64 = 7 * 86_400

    /// What is wrong, and what could be better.
    package struct Verdict: Sendable {
        package var faults: [SnpackError] = []
        package var warnings: [SnpackError] = []
    }

    /// A gateway promises strong tags; any web server does without a fault.
    let isGateway: Bool

    package init(isGateway: Bool) { self.isGateway = isGateway }

    /// - Parameter blake3: of the file, where its bytes are known or signed.
    package func verdict(
        on head: HTTPResponse, of kind: ChannelFileKind, blake3: Blake3Digest?, path: String
    ) -> Verdict {
        var verdict = Verdict()
        if !head.contentCodings.isEmpty {
            verdict.faults.append(
                SnpackError(
                    .servedEncoded,
                    "the server sends it with Content-Encoding \(quoted(head.contentCodings.joined(separator: ", "))), "
                        + "though asked for the file as it is",
                    hint: "turn compression off for the channel (nginx: gzip off; Caddy: no encode)", path: path))
        } else if head.contentLength == nil {
            verdict.warnings.append(
                SnpackError(
                    .servedLengthMissing, "the answer has no Content-Length: a broken transfer looks like a whole file",
                    hint: "serve the channel as static files, without filters", path: path))
        }
        judgeTag(head, blake3, path, &verdict)
        judgeCaching(head, kind, path, &verdict)
        return verdict
    }

    private func judgeTag(_ head: HTTPResponse, _ blake3: Blake3Digest?, _ path: String, _ verdict: inout Verdict) {
        let hint = "serve the channel as static files; compression and server-side rewriting weaken or drop the ETag"
        guard let tag = head.entityTag else {
            let what = head["etag"].map { "its ETag \(quoted($0)) is none" } ?? "the answer has no ETag"
            verdict.add(
                SnpackError(
                    .servedEntityTagMissing, what + ": an interrupted download cannot go on safely", hint: hint,
                    path: path), isFault: isGateway)
            return
        }
        guard tag.isStrong else {
            verdict.add(
                SnpackError(
                    .servedEntityTagWeak,
                    "its ETag \(quoted(tag.text)) is weak: an interrupted download cannot go on safely", hint: hint,
                    path: path), isFault: isGateway)
            return
        }
        if let blake3, tag.text.hasPrefix("\"b3-"), tag.text != "\"b3-\(blake3.hex)\"" {
            verdict.faults.append(
                SnpackError(
                    .servedEntityTagWrong, "its ETag \(quoted(tag.text)) names another BLAKE3 than the file's",
                    hint: "the server or a cache keeps tags of older files", path: path))
        }
    }

    private func judgeCaching(
        _ head: HTTPResponse, _ kind: ChannelFileKind, _ path: String, _ verdict: inout Verdict
    ) {
        let control = CacheControl(parsing: head.values("cache-control"))
        switch kind {
        case .index:
            let hint = "serve index.* with Cache-Control: max-age=60"
            guard let control else {
                verdict.warnings.append(
                    SnpackError(
                        .servedIndexUncontrolled,
                        "the index comes without Cache-Control: caches guess how long to keep it",
                        hint: hint, path: path))
                return
            }
            let seconds = control.longestFreshness ?? 0
            guard control.isImmutable || seconds > Self.indexFreshnessSensible else { return }
            let what = control.isImmutable ? "for ever (immutable)" : "for \(seconds) s"
            verdict.add(
                SnpackError(
                    .servedIndexCachedLong,
                    "caches may keep the index \(what): clients stay on a stale one, and see no update or withdrawal",
                    hint: hint, path: path), isFault: control.isImmutable || seconds > Self.indexFreshnessLimit)
        case .manifest: return
        case .blob:
            guard let control, !control.isImmutable,
                (control.longestFreshness ?? 0) < Self.blobFreshnessSensible
            else { return }
            verdict.warnings.append(
                SnpackError(
                    .servedBlobCachedShort,
                    "caches may keep it for \(control.longestFreshness ?? 0) s only, and it never changes",
                    hint: "serve layers/ with Cache-Control: max-age=31536000, immutable", path: path))
        }
    }
}

extension HeadCheck.Verdict {
    mutating func add(_ error: SnpackError, isFault: Bool) {
        if isFault { faults.append(error) } else { warnings.append(error) }
    }
}

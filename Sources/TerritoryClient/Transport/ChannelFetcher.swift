import Diagnostics
import Signing
import Synchronization
import TerritoryModel
import TerritoryPackage

/// Fetches a channel's documents through a transport, bounded, and counts the bytes that crossed.
final class ChannelFetcher: Sendable {
    let transport: any ChannelTransport
    let cancel: CancelToken
    private let total = Mutex<UInt64>(0)
    private let isHalted = Atomic<Bool>(false)

    init(_ transport: any ChannelTransport, cancel: CancelToken) {
        self.transport = transport
        self.cancel = cancel
    }

    /// Ends transfers of layers in flight at their next bytes.
    func halt() { isHalted.store(true, ordering: .relaxed) }

    /// Bytes of blobs and patches fetched so far.
    var layerByteCount: UInt64 { total.withLock { $0 } }

    /// Adds bytes that were read where the channel lies.
    func count(_ byteCount: UInt64) { total.withLock { $0 += byteCount } }

    /// A small file; nil if it isn't there.
    /// - Throws: `document.too-large` as soon as there are more than `limit` bytes.
    func document(_ path: String, limit: Int, pastCaches: Bool = false) throws(SnpackError) -> [UInt8]? {
        var bytes: [UInt8] = []
        let request = ChannelRequest(path, limit: UInt64(limit), isPastCaches: pastCaches)
        let answer = try transport.fetch(request, cancel: cancel) { (piece) throws(SnpackError) in
            guard piece.count <= limit - bytes.count else {
                throw SnpackError(
                    .documentTooLarge, "more than the \(limit) bytes that it may have at most",
                    path: location(of: path))
            }
            bytes.append(contentsOf: piece)
        }
        return answer == .complete ? bytes : nil
    }

    /// A large file, or a stretch of it.
    func layerFile(
        _ request: ChannelRequest, consume: (UnsafeRawBufferPointer) throws(SnpackError) -> Void
    ) throws(SnpackError) -> ChannelAnswer {
        let wanted = request.range.map { $0.upperBound - $0.lowerBound } ?? request.limit
        var taken: UInt64 = 0
        let answer = try transport.fetch(request, cancel: cancel) { (piece) throws(SnpackError) in
            total.withLock { $0 += UInt64(piece.count) }
            if isHalted.load(ordering: .relaxed) { throw SnpackError(.interrupted, "the install has failed elsewhere") }
            guard UInt64(piece.count) <= wanted - taken else {
                throw SnpackError(
                    .blobLonger, "it goes on beyond the \(request.limit) bytes signed",
                    hint: "the file there is not the signed one; use another source", path: location(of: request.path))
            }
            taken += UInt64(piece.count)
            try consume(piece)
        }
        guard answer != .complete || taken == wanted else {
            throw SnpackError(
                .blobShort, "it ends \(wanted - taken) bytes early", hint: "try again, or use another source",
                path: location(of: request.path))
        }
        return answer
    }

    func location(of path: String) -> String { "\(transport.location)/\(path)" }
}

extension ChannelFetcher {
    /// How often a pair that does not fit together is fetched again.
    private static let pairAttempts = 3

    /// The channel's index as `verify` accepts it: `index.signed`, or the pair where that is not there.
    ///
    /// The two files of a pair come from different moments while a channel is updated. A pair that does not verify is
    /// fetched again, past caches; if it never does, that is a torn channel and not a forgery.
    func index<Index>(
        verify: (SignedIndexFile) throws(SnpackError) -> Index
    ) throws(SnpackError) -> Index {
        if let bytes = try document(ChannelFile.signed, limit: SignedIndexFile.limit) {
            do throws(SnpackError) { return try verify(SignedIndexFile(decoding: bytes)) } catch {
                throw error.at(location(of: ChannelFile.signed))
            }
        }
        var attempt = 0
        while true {
            let pair = try pair(pastCaches: attempt > 0)
            do throws(SnpackError) { return try verify(pair) } catch {
                guard error.code == .signatureNotTrusted else { throw error.at(location(of: ChannelFile.index)) }
                attempt += 1
                guard attempt <= Self.pairAttempts else {
                    throw SnpackError(
                        .indexTorn,
                        "index.json and index.json.sig do not belong together: the channel is being updated",
                        hint: "try again in a minute", path: location(of: ChannelFile.index), details: [error])
                }
            }
        }
    }

    private func pair(pastCaches: Bool) throws(SnpackError) -> SignedIndexFile {
        let index = try document(ChannelFile.index, limit: Limits.indexBytes, pastCaches: pastCaches)
        guard let index else {
            throw SnpackError(
                .indexNotFound, "there is no channel here: neither index.signed nor index.json",
                hint: "check the address; a gateway's needs --gateway", path: transport.location)
        }
        let signature = try document(
            ChannelFile.signature, limit: SignatureText.maxByteCount, pastCaches: pastCaches)
        guard let signature else {
            throw SnpackError(
                .fileMissing, "the index has no signature", hint: "ask who publishes the channel",
                path: location(of: ChannelFile.signature))
        }
        return SignedIndexFile(index: index, signature: signature)
    }

    /// The manifest that an accepted index lists, verified. It never changes, so one that is not the listed one may come
    /// from a cache: it is fetched once more past them.
    func manifest(
        listedAs entry: ChannelIndex.Version, of territory: ChannelIndex.Territory, keys: PinnedKeys
    ) throws(SnpackError) -> Verified<Manifest> {
        let path = entry.name.manifestPath
        do throws(SnpackError) {
            do throws(SnpackError) {
                return try manifest(path, entry, territory, keys, pastCaches: false)
            } catch  where error.code == .manifestMismatch || error.code == .signatureNotTrusted {
                return try manifest(path, entry, territory, keys, pastCaches: true)
            }
        } catch { throw error.at(location(of: path)) }
    }

    private func manifest(
        _ path: String, _ entry: ChannelIndex.Version, _ territory: ChannelIndex.Territory, _ keys: PinnedKeys,
        pastCaches: Bool
    ) throws(SnpackError) -> Verified<Manifest> {
        guard let bytes = try document(path, limit: Limits.manifestBytes, pastCaches: pastCaches),
            let signature = try document(path + ".sig", limit: SignatureText.maxByteCount, pastCaches: pastCaches)
        else {
            throw SnpackError(
                .fileMissing, "the index lists \(entry.name), and its manifest is not there",
                hint: "a partial mirror may not have it: try another source")
        }
        return try keys.verifyManifest(bytes, signature: signature, listedAs: entry, of: territory)
    }
}

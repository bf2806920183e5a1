import Blobs
import Diagnostics
import DurableFiles
import Hashing
import TerritoryModel
import TerritoryPackage

/// Where the layers of a version that is being installed come from.
protocol PackageSupply: Sendable {
    /// True if nothing crosses a wire: then layers are taken one after the other, each with all cores.
    var isLocal: Bool { get }
    /// Bytes that are still to come from the channel for the layer.
    func wireByteCount(of layer: Manifest.Layer) -> UInt64
    /// Bytes on disk at the fullest moment while the layer is made, without what is fetched for it.
    func peakByteCount(of layer: Manifest.Layer) -> UInt64
    /// Hands the files of `manifest.layers[index]` to `sink`, every byte proven.
    /// - Returns: the chunk table, if it is at hand.
    func write(
        _ index: Int, of manifest: Manifest, into sink: any LayerSink, context: WorkContext
    ) throws(SnpackError) -> [UInt8]?
    /// Patches by which the layer can be had with fewer bytes than by its blob, each from what the one before it made.
    func legs(to layer: Manifest.Layer) -> [UpdateRoute.Leg]
    /// A patch of ``legs(to:)``, of the signed size.
    func patch(_ leg: UpdateRoute.Leg, report: any ProgressReporter) throws(SnpackError) -> any RandomAccess
    /// Forgets what was kept for a layer: it is installed, or cannot be proven.
    func drop(_ layer: Manifest.Layer)
    /// Makes transfers in flight end soon, because the install has failed elsewhere.
    func halt()
}

extension PackageSupply {
    var isLocal: Bool { true }
    func wireByteCount(of layer: Manifest.Layer) -> UInt64 { 0 }
    func peakByteCount(of layer: Manifest.Layer) -> UInt64 { layer.byteCount }
    func legs(to layer: Manifest.Layer) -> [UpdateRoute.Leg] { [] }
    func patch(_ leg: UpdateRoute.Leg, report: any ProgressReporter) throws(SnpackError) -> any RandomAccess {
        throw SnpackError(.fileMissing, "this package carries no patches")
    }
    func drop(_ layer: Manifest.Layer) {}
    func halt() {}
}

/// A release or `.snpkg` at hand.
struct PackedSupply: PackageSupply {
    let package: any PackedPackage
    private let decoder = FrameDecoder()

    init(_ package: any PackedPackage) { self.package = package }

    func write(
        _ index: Int, of manifest: Manifest, into sink: any LayerSink, context: WorkContext
    ) throws(SnpackError) -> [UInt8]? {
        let reader = BlobReader(
            try package.blob(index, of: manifest), layer: manifest.layers[index], decoder: decoder)
        try reader.read(into: sink, context: context)
        return try reader.table().encoded
    }
}

/// An unpacked package directory at hand. Its files are copied, never linked: others may write to them.
struct DirectorySupply: PackageSupply {
    let package: PackageDirectory

    init(_ package: PackageDirectory) { self.package = package }

    func write(
        _ index: Int, of manifest: Manifest, into sink: any LayerSink, context: WorkContext
    ) throws(SnpackError) -> [UInt8]? {
        let layer = manifest.layers[index]
        guard let identity = try package.directory.identity(of: layer.path.rawValue),
            identity.kind == (layer.isTree ? .directory : .file)
        else {
            throw SnpackError(
                .fileMissing, "layer \(layer.kind) is not there", hint: "leave it out with --omit \(layer.kind)",
                path: package.path(of: layer))
        }
        var faults = FaultList()
        let tree = try FileTree(listing: package.path(of: layer), faults: &faults) { path in
            path.split(separator: "/").last.map { PackageDirectory.passedOver.contains(String($0)) } ?? false
        }
        try faults.throwIfAny("layer \(layer.kind) cannot be read")
        let proof = LayerProof(of: layer, then: sink)
        do throws(SnpackError) {
            for entry in tree.files { try copy(entry, of: tree, layer, into: proof, context) }
            try proof.finish()
        } catch { throw error.at(package.path(of: layer)) }
        return nil
    }

    private func copy(
        _ entry: FileTree.File, of tree: FileTree, _ layer: Manifest.Layer, into sink: LayerProof,
        _ context: WorkContext
    ) throws(SnpackError) {
        let file = try tree.open(entry)
        try sink.beginFile(path: tree.isTree ? entry.path : layer.path.rawValue, byteCount: entry.byteCount)
        try file.readPieces(before: entry.byteCount, cancel: context.cancel) { piece, _ throws(SnpackError) in
            try sink.write(UnsafeRawBufferPointer(piece))
            context.report.advance(UInt64(piece.count))
        }
        try sink.endFile()
    }
}

/// A version in a channel: blobs are fetched into the cache, or read where they lie if the channel is a directory.
struct ChannelSupply: PackageSupply {
    let fetcher: ChannelFetcher
    let name: ReleaseName
    let cache: BlobCache
    let arrivals: LayerArrivals
    private let decoder = FrameDecoder()
    private let directory: ChannelDirectoryTransport?

    /// - Parameter route: how each layer arrives; nil where only blobs are taken.
    init(_ fetcher: ChannelFetcher, _ name: ReleaseName, cache: BlobCache, route: UpdateRoute? = nil) {
        self.fetcher = fetcher
        self.name = name
        self.cache = cache
        arrivals = LayerArrivals(route: route, cache: cache)
        directory = fetcher.transport as? ChannelDirectoryTransport
    }

    var isLocal: Bool { directory != nil }

    func wireByteCount(of layer: Manifest.Layer) -> UInt64 { arrivals.wireByteCount(of: layer) }
    func peakByteCount(of layer: Manifest.Layer) -> UInt64 { arrivals.peakByteCount(of: layer) }
    func legs(to layer: Manifest.Layer) -> [UpdateRoute.Leg] { arrivals.legs(to: layer) }

    func patch(_ leg: UpdateRoute.Leg, report: any ProgressReporter) throws(SnpackError) -> any RandomAccess {
        if let directory {
            guard let file = try directory.file(leg.path) else {
                throw SnpackError(.fileMissing, "the patch is not there", path: fetcher.location(of: leg.path))
            }
            fetcher.count(leg.patch.byteCount)
            return file
        }
        return try PatchDownload(
            fetcher: fetcher, cache: cache, patch: leg.patch, path: leg.path, report: report
        ).run()
    }

    func path(of layer: Manifest.Layer) -> String { "\(name.directory)/\(layer.blobPath)" }

    func download(_ layer: Manifest.Layer, report: any ProgressReporter) -> BlobDownload {
        BlobDownload(
            fetcher: fetcher, cache: cache, blob: layer.blob, path: path(of: layer), report: report)
    }

    func write(
        _ index: Int, of manifest: Manifest, into sink: any LayerSink, context: WorkContext
    ) throws(SnpackError) -> [UInt8]? {
        let layer = manifest.layers[index]
        if let directory {
            guard let file = try directory.file(path(of: layer)) else {
                throw SnpackError(
                    .fileMissing, "the signed manifest names it, and it is not there",
                    path: fetcher.location(of: path(of: layer)))
            }
            let table = try read(file, layer, into: sink, context)
            fetcher.count(layer.blob.byteCount)
            return table
        }
        let part = try download(layer, report: context.report).run()
        // The bytes that cross the wire are the progress; those that are unpacked are not counted again.
        let silent = WorkContext(jobs: context.jobs, cancel: context.cancel)
        do throws(SnpackError) { return try read(part, layer, into: sink, silent) } catch {
            if error.code.exitStatus == .verification { drop(layer) }
            throw error
        }
    }

    private func read(
        _ file: any RandomAccess, _ layer: Manifest.Layer, into sink: any LayerSink, _ context: WorkContext
    ) throws(SnpackError) -> [UInt8] {
        let reader = BlobReader(file, layer: layer, decoder: decoder)
        try reader.read(into: sink, context: context)
        return try reader.table().encoded
    }

    func drop(_ layer: Manifest.Layer) {
        try? cache.drop(layer.blob.blake3)
        for leg in legs(to: layer) { try? cache.drop(leg.patch.blake3) }
    }
    func halt() { fetcher.halt() }
}

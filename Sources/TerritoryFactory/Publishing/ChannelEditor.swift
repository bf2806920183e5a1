package import Diagnostics
package import DurableFiles
import Hashing
import Signing
package import TerritoryModel
package import TerritoryPackage

/// A channel in a directory, held by one publisher: the kernel's lock, the live index verified, the pair in step with it.
///
/// Every change ends in ``goLive(_:signature:)``: `index.signed` is the commit point.
package final class ChannelEditor {
    private let place: ChannelWorkplace
    /// The live index; nil for a channel that is new.
    package private(set) var live: Verified<ChannelIndex>?
    let keys: PinnedKeys

    package var root: Directory { place.root }
    /// Where files are written before they get their names: on the same file system, never served.
    package var staging: Directory { place.staging }

    /// Opens the channel, made where it is missing, and finishes what an earlier command left half-done.
    ///
    /// - Parameter keys: the signing key's public half; the live index must verify with it.
    /// - Throws: `lock.busy` while another publisher works here, and what verifying the live index throws.
    package init(_ path: String, keys: PinnedKeys, disk: any Disk = SystemDisk()) throws(SnpackError) {
        self.keys = keys
        place = try ChannelWorkplace(path, disk: disk)
        let root = place.root
        let reader = ChannelDirectory(root)
        guard let file = try reader.signedIndex() else {
            if try reader.document(ChannelFile.index, limit: Limits.indexBytes) != nil {
                throw SnpackError(
                    .fileMissing, "the channel has an index.json without its signature",
                    hint: "restore the index from a mirror, or move it away to begin anew",
                    path: root.path(of: ChannelFile.signature))
            }
            live = nil
            return
        }
        do throws(SnpackError) {
            live = try keys.verifyIndex(file.index, signature: file.signature)
        } catch { throw error.at(root.path(of: ChannelFile.signed)) }
        if try reader.document(ChannelFile.signed, limit: SignedIndexFile.limit) == nil {
            try write(file.encoded, as: ChannelFile.signed)
        }
        // A pair that cannot even be read is out of step like any other.
        if (try? reader.pair()) != file { try writePair(file) }
    }

    /// Makes an index live: `index.signed`, then the pair. What it lists must be in place and flushed.
    package func goLive(_ index: [UInt8], signature: [UInt8]) throws(SnpackError) {
        let verified = try keys.verifyIndex(index, signature: signature)
        let file = SignedIndexFile(index: index, signature: signature)
        try write(file.encoded, as: ChannelFile.signed)
        live = verified
        try writePair(file)
    }

    /// Writes the catalogue of the live index, if it is not there already. What goes wrong is a warning.
    package func writeCatalogue(report: any ProgressReporter) {
        guard let live else { return }
        CatalogueFiles(in: place).update(live, report: report)
    }

    private func writePair(_ file: SignedIndexFile) throws(SnpackError) {
        try write(file.signature, as: ChannelFile.signature)
        try write(file.index, as: ChannelFile.index)
    }

    private func write(_ bytes: [UInt8], as name: String) throws(SnpackError) {
        try place.put(bytes, as: name)
        try root.sync()
    }
}

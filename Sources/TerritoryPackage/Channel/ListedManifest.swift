package import Diagnostics
import Hashing
package import TerritoryModel

extension PinnedKeys {
    /// Verifies a manifest that an accepted index lists: its BLAKE3 first, then signature and role, then the facts.
    package func verifyManifest(
        _ release: ChannelRelease, listedAs entry: ChannelIndex.Version, of territory: ChannelIndex.Territory
    ) throws(SnpackError) -> Verified<Manifest> {
        try verifyManifest(
            release.manifestBytes, signature: release.signatureBytes, listedAs: entry, of: territory)
    }

    /// The same for bytes that came some other way.
    package func verifyManifest(
        _ bytes: [UInt8], signature: [UInt8], listedAs entry: ChannelIndex.Version,
        of territory: ChannelIndex.Territory
    ) throws(SnpackError) -> Verified<Manifest> {
        guard .of(bytes) == entry.manifestBlake3 else {
            throw SnpackError(
                .manifestMismatch, "it does not have the BLAKE3 that the index lists",
                hint: "the channel may be in the middle of an update: try again")
        }
        let verified = try verifyManifest(bytes, signature: signature)
        try territory.check(verified.document, listedAs: entry.version)
        return verified
    }
}

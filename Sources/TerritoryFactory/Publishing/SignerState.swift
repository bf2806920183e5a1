package import Diagnostics
package import DurableFiles
package import Hashing
package import TerritoryModel

/// What a signer remembers of the channels it signs for: the last index of each, by sequence and BLAKE3.
///
/// Without it, somebody who puts an old channel back could make the signer go on from there.
package struct SignerState: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package let sequence: UInt64
        package let blake3: Blake3Digest
    }

    package private(set) var channels: [ChannelName: Entry] = [:]
    private static let limit = 1 << 20

    package init() {}

    /// Reads the state beside a key; a file that isn't there is an empty state.
    /// - Throws: `signer.state-invalid` for a damaged file, which is not taken for an empty one.
    package init(reading path: String) throws(SnpackError) {
        guard FileIdentity.at(path) != nil else {
            // Found out before anything is signed, and not when the state is to be written.
            _ = try Directory.parent(of: path)
            return
        }
        func invalid(_ reason: String) -> SnpackError {
            SnpackError(
                .signerStateInvalid, "the signer's state file is damaged: \(reason)",
                hint: "restore it from a backup; or remove it and publish with --adopt, after a look at the live index",
                path: path)
        }
        let bytes = try OpenFile(reading: path).allBytes(limit: Self.limit)
        let document: JSONValue
        do throws(SnpackError) { document = try StrictJSON.parse(bytes) } catch { throw invalid(error.message) }
        guard let entries = document.objectValue?["channels"]?.objectValue else { throw invalid("no channels in it") }
        for (name, value) in entries.members {
            guard let name = try? ChannelName(parsing: name), let entry = value.objectValue,
                let sequence = entry["sequence"]?.numberValue?.unsignedInteger,
                let hex = entry["blake3"]?.stringValue, let blake3 = try? Blake3Digest(parsing: hex)
            else { throw invalid("channel \(quoted(name))") }
            channels[name] = Entry(sequence: sequence, blake3: blake3)
        }
    }

    package mutating func remember(_ index: ChannelIndex, blake3: Blake3Digest) {
        channels[index.channel] = Entry(sequence: index.sequence, blake3: blake3)
    }

    /// Writes the state whole, or leaves the old one.
    package func write(to path: String, disk: any Disk = SystemDisk()) throws(SnpackError) {
        var entries: JSONObject = [:]
        for (name, entry) in channels {
            entries[name.rawValue] = .object([
                "sequence": .number(JSONNumber(entry.sequence)), "blake3": .string(entry.blake3.hex),
            ])
        }
        let document = JSONValue.object(["channels": .object(entries)])
        let (directory, name) = try Directory.parent(of: path, disk: disk)
        try directory.removeLeftovers()
        try directory.write(document.canonicalBytes, to: name, mode: 0o600)
    }
}

package import Arguments
package import Diagnostics
import TerritoryModel
import TerritoryPackage

package struct DiffCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "diff", "say what changes from one version to another, and what an update costs",
            discussion: """
                OLD and NEW are releases, .snpkg files, unpacked directories, or versions of a channel as \
                CHANNEL#ID[@VERSION]. Per layer: bytes on the wire with and without patches, and bytes on disk. In a \
                channel, patches of the versions between count too. Signatures are not checked: verify does that.
                """,
            positionals: [
                PositionalSpec("OLD", "what is installed"), PositionalSpec("NEW", "what it is to become"),
            ],
            examples: [
                CommandExample(
                    "snpack diff channel#liechtenstein@1.0.0 channel#liechtenstein",
                    "what the update to the latest costs")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let old = try NamedVersion(arguments.required("OLD"))
        let new = try NamedVersion(arguments.required("NEW"))
        let route = UpdateRoute(
            to: new.manifest, from: old.manifest.layers, through: new.between(old.manifest.version))
        return DiffText(old.manifest, new.manifest, route).result
    }
}

/// A version that a person names, and the channel it was found in.
private struct NamedVersion {
    let manifest: Manifest
    private let channel: ChannelDirectory?
    private let territory: ChannelIndex.Territory?

    init(_ text: String) throws(SnpackError) {
        let source = try SourceReference(parsing: text)
        guard case .path(let path) = source.place else {
            throw SnpackError(
                .sourceUnknown, "only what is on this disk can be compared", hint: "mirror the channel first")
        }
        let bytes: [UInt8]
        switch try LocalSource(opening: path) {
        case .release(let release): (bytes, channel, territory) = (release.manifestBytes, nil, nil)
        case .archive(let archive): (bytes, channel, territory) = (archive.manifestBytes, nil, nil)
        case .directory(let directory): (bytes, channel, territory) = (directory.manifestBytes, nil, nil)
        case .channel(let found):
            guard let id = source.territory else {
                throw SnpackError(
                    .sourceUnknown, "a channel has many versions", hint: "name one: CHANNEL#ID@VERSION", path: path)
            }
            guard let file = try found.signedIndex() else {
                throw SnpackError(.sourceNotFound, "the channel has no index", path: path)
            }
            let listed = try found.release(of: id, version: source.version, in: ChannelIndex(decoding: file.index))
            (bytes, channel, territory) = (listed.release.manifestBytes, found, listed.territory)
        }
        do throws(SnpackError) { manifest = try Manifest(decoding: bytes) } catch { throw error.at(text) }
    }

    /// Manifests of the channel's versions from `old` to this one, through which a chain of patches may go.
    func between(_ old: TerritoryVersion) -> [Manifest] {
        guard let channel, let territory else { return [] }
        return UpdateRoute.versions(between: old, and: manifest.version, in: territory).compactMap { entry in
            guard let release = try? ChannelRelease(entry.name.manifestPath, in: channel) else { return nil }
            return try? Manifest(decoding: release.manifestBytes)
        }
    }
}

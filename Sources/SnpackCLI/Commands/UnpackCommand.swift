package import Arguments
package import Diagnostics
import TerritoryModel
import TerritoryPackage

package struct UnpackCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "unpack", "unpack a release or .snpkg into a package directory",
            discussion: "Verifies before it writes; --no-verify unpacks without a key, and says so.",
            positionals: [PositionalSpec("RELEASE", "a .snpkg file or a release")],
            options: [
                .value("out", "DIR", "the directory to make", short: "o", form: .directory, required: true),
                .factoryKey, .regionKey, .flag("no-verify", "trust what is unpacked without a signature"),
            ],
            rules: [
                .atLeastOne(["factory-key", "region-key", "no-verify"]), .atMostOne(["factory-key", "no-verify"]),
                .atMostOne(["region-key", "no-verify"]),
            ],
            examples: [
                CommandExample(
                    "snpack unpack liechtenstein.snpkg -o liechtenstein --factory-key keys/factory.pub",
                    "verify and unpack a package")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let source = arguments.required("RELEASE")
        let keys = arguments.flag("no-verify") ? nil : try arguments.pinnedKeys()
        let path = arguments.required("out")
        let manifest: Manifest
        switch try LocalSource(opening: source) {
        case .release(let release): manifest = try unpack(release, keys, to: path, session)
        case .archive(let archive): manifest = try unpack(archive, keys, to: path, session)
        case .directory, .channel:
            throw SnpackError(
                .sourceUnknown, "only a release or a .snpkg can be unpacked",
                hint: "of a channel: its territories/<id>/<version> directory", path: source)
        }
        let note = keys == nil ? " (signature not checked: nobody vouches for it)" : ""
        return CommandResult(
            [
                "path": .string(path), "verified": .bool(keys != nil),
                "territory_id": .string(manifest.territoryID.rawValue), "version": .string(manifest.version.rawValue),
            ], lines: ["unpacked \(manifest.name) to \(path)\(note)"])
    }

    private func unpack(
        _ package: some PackedPackage, _ keys: PinnedKeys?, to path: String, _ session: Session
    ) throws(SnpackError) -> Manifest {
        let manifest: Manifest
        do throws(SnpackError) {
            manifest =
                if let keys {
                    try keys.verifyManifest(package.manifestBytes, signature: package.signatureBytes).document
                } else { try Manifest(decoding: package.manifestBytes) }
        } catch { throw error.at(package.shownPath) }
        try Unpacking.unpack(package, manifest, to: path, context: session.context)
        return manifest
    }
}

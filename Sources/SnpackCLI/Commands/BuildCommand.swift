package import Arguments
import Blobs
package import Diagnostics
import DurableFiles
import MapLayers
import TerritoryFactory
import TerritoryModel
import TerritoryPackage

package struct BuildCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "build", "check a territory's layers and pack them into an unsigned release",
            discussion: """
                Reads a territory definition, checks every layer, packs each into its blob and writes the release \
                OUT/<id>/<version>/ with its manifest, ready to be signed. Every fault is reported, not the first alone. The \
                same input gives the same bytes, whatever the machine, the number of threads or the time.

                A layer whose content a reused release already has is linked, not packed again. So is one that an earlier \
                build packed, as the cache in $XDG_CACHE_HOME/snpack (or ~/.cache/snpack) tells, which may be deleted at any \
                time.
                """,
            positionals: [PositionalSpec("DEFINITION", "the territory's definition, manifests/<id>.json")],
            options: [
                .value("version", "V", "the release's version, as in 1.2.0", required: true),
                .value("data-timestamp", "T", "when the data was current, as in 2026-11-30T00:00:00Z"),
                .value("out", "DIR", "where releases go (default: build)", short: "o", form: .directory),
                .repeated("layer", "KIND=PATH", "take this layer from here, whatever the definition says"),
                .value("level", "N", "how hard to compress, 1 to 22 (default: 9)"),
                .repeated("reuse", "SOURCE", "a release whose equal layers are linked", form: .path),
                .repeated(
                    "patch-from", "SOURCE",
                    "make patches from this release's layers (default: from a reused channel's latest)",
                    form: .path),
                .flag("no-patches", "make no patches"),
                .flag("no-cache", "check and pack every layer anew, whatever earlier builds found out"),
                .repeated("allow", "CODE", "let this layer check only warn; all: every one"),
            ],

            rules: [.atMostOne(["patch-from", "no-patches"])],
            examples: [
                CommandExample(
                    "snpack build manifests/liechtenstein.json --version 1.0.0", "build version 1.0.0 of Liechtenstein"),
                CommandExample(
                    "snpack build manifests/liechtenstein.json --version 1.1.0 --reuse build/liechtenstein/1.0.0",
                    "build the next version, packing only what changed"),
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        var options = ReleaseBuilder.Options(
            version: try TerritoryVersion(parsing: arguments.required("version")),
            tool: "snpack \(SnpackVersion.number)")
        options.dataTimestamp = try arguments.value("data-timestamp").map { text throws(SnpackError) in
            try Timestamp(parsing: text)
        }
        options.output = arguments.value("out") ?? options.output
        if let level = try arguments.unsignedInteger("level", in: 1...22) { options.level = Int(level) }
        if !arguments.flag("no-cache") { options.cache = Self.cache(session.environment) }
        let definition = try definition(arguments)
        options.allowed = AllowedChecks(arguments.values("allow"))
        let id = definition.id
        func releases(_ text: String) throws(SnpackError) -> [ReusableRelease] {
            try ReusableRelease.all(in: SourceReference(parsing: text))
        }
        for source in arguments.values("reuse") {
            let found = try releases(source)
            options.reuse += found
            // A channel's latest version is what most clients have.
            if arguments.values("patch-from").isEmpty, try ReusableRelease.isChannel(SourceReference(parsing: source)) {
                options.patchBases += found.filter { $0.manifest.territoryID == id }
            }
        }
        for source in arguments.values("patch-from") {
            options.patchBases += try releases(source).filter { $0.manifest.territoryID == id }
        }
        if arguments.flag("no-patches") { options.patchBases = [] }
        let outcome = try ReleaseBuilder(definition, options: options, context: session.context).build()
        let manifest = outcome.manifest
        var lines = ManifestText.lines(manifest)
        lines.append("")
        lines.append(
            outcome.isUnchanged
                ? "\(outcome.path) is there already, signed and the same"
                : "wrote \(outcome.path)")
        var json = ManifestText.json(manifest)
        json["release"] = .string(outcome.path)
        json["unchanged"] = .bool(outcome.isUnchanged)
        json["reused"] = .array(outcome.reused.map { .string($0.rawValue) })
        return CommandResult(json, lines: lines)
    }

    /// The build cache of this program: `$XDG_CACHE_HOME/snpack` or `~/.cache/snpack`; nil without a home.
    private static func cache(_ environment: Environment) -> BuildCache.Place? {
        let base = environment["XDG_CACHE_HOME"] ?? environment["HOME"].map { "\($0)/.cache" }
        guard let base, base.hasPrefix("/") else { return nil }
        // A version that is being worked on changes without its number.
        let program = FileIdentity.at("/proc/self/exe")
        return BuildCache.Place(
            directory: "\(base)/snpack",
            maker: "\(SnpackVersion.number) \(program?.byteCount ?? 0) \(program?.modified ?? 0)")
    }

    private func definition(_ arguments: ParsedArguments) throws(SnpackError) -> TerritoryDefinition {
        let path = arguments.required("DEFINITION")
        let bytes = try OpenFile(reading: path).allBytes(limit: 1 << 20)
        let directory = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
        var definition: TerritoryDefinition
        do throws(SnpackError) {
            definition = try TerritoryDefinition(
                decoding: bytes, directory: directory.isEmpty && path.hasPrefix("/") ? "/" : directory)
        } catch { throw error.at(path) }
        for (kind, source) in try arguments.pairs("layer") {
            try definition.setSource(source, of: LayerKind(parsing: kind))
        }
        return definition
    }
}

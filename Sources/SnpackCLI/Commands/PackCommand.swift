package import Arguments
package import Diagnostics
import DurableFiles
import TerritoryModel
import TerritoryPackage

package struct PackCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "pack", "put a release into one .snpkg file",
            positionals: [PositionalSpec("RELEASE", "the signed release", form: .directory)],
            options: [
                .value("out", "F.snpkg", "the file to write", short: "o", form: .path, required: true)
            ],
            examples: [
                CommandExample(
                    "snpack pack build/liechtenstein/1.0.0 -o liechtenstein.snpkg", "pack a release into a file")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let source = arguments.required("RELEASE")
        let release = try Release(try Directory.open(source))
        let manifest: Manifest
        do throws(SnpackError) { manifest = try Manifest(decoding: release.manifestBytes) } catch {
            throw error.at(release.directory.path(of: PackageFile.manifest))
        }
        let path = arguments.required("out")
        let byteCount = try PackageArchive.write(release, manifest, to: path, context: session.context)
        return CommandResult(
            [
                "path": .string(path), "bytes": .number(JSONNumber(byteCount)),
                "territory_id": .string(manifest.territoryID.rawValue), "version": .string(manifest.version.rawValue),
            ], lines: ["wrote \(path): \(manifest.name), \(byteText(byteCount))"])
    }
}

import Foundation
import SnpackTestSupport
import Testing

/// The package that `scripts/package-deb` makes, installed by dpkg into a root of its own.
@Suite(.enabled(if: Programs.has("dpkg-shlibdeps"), "needs Debian's dpkg-dev"))
struct DebianPackageTests {
    /// The package, made once for all tests of a run.
    private static let made: Result<String, any Error> = Result {
        let home = try ProjectFiles.temporaryDirectory("snpack-deb")
        atexit {
            guard let deb = try? DebianPackageTests.made.get() else { return }
            try? FileManager.default.removeItem(at: URL(filePath: deb).deletingLastPathComponent())
        }
        return try package(in: home)
    }

    private static func package(in directory: URL, _ environment: [String: String] = [:]) throws -> String {
        let result = try SystemTool.run(
            ProjectFiles.root.appending(path: "scripts/package-deb").path, [directory.path],
            // Compressing hard is not what is tested.
            environment: [
                "SNPACK_BINARY": SnpackProcess.path, "DPKG_DEB_COMPRESSOR_TYPE": "zstd",
                "DPKG_DEB_COMPRESSOR_LEVEL": "1",
            ].merging(environment) { $1 })
        try #require(result.status == 0, "\(result)")
        return result.standardOutput.trimmingCharacters(in: .newlines)
    }

    /// A control field of the package.
    private func field(_ name: String, of package: String) throws -> String {
        try SystemTool.run("dpkg-deb", ["-f", package, name]).standardOutput.trimmingCharacters(in: .newlines)
    }

    @Test func theSameProgramGivesTheSamePackage() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let first = try Self.made.get()
            let again = try Self.package(in: directory, ["TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8"])
            #expect(try Data(contentsOf: URL(filePath: first)) == Data(contentsOf: URL(filePath: again)))
            let version = try SnpackProcess.run(["--version"]).standardOutput.dropFirst(7).dropLast()
            #expect(try field("Version", of: first) == version)
            #expect(first.hasSuffix("/snpack_\(version)_\(try field("Architecture", of: first)).deb"))
        }
    }

    /// Every library that the program asks the loader for comes from a package that it depends on.
    @Test func dependsOnWhatTheProgramLoads() throws {
        let depends = try field("Depends", of: Self.made.get()).split(separator: ", ").map { $0.prefix { $0 != " " } }
        let needed = try SystemTool.run("readelf", ["-d", SnpackProcess.path]).standardOutput
            .matches(of: /\(NEEDED\).*\[(.*)\]/).map(\.output.1)
        #expect(needed.contains("libsodium.so.23"), "\(needed)")
        for library in needed {
            let owners = try SystemTool.run("dpkg-query", ["-S", "*/\(library)"]).standardOutput
                .split(separator: "\n").map { $0.prefix { $0 != ":" } }
            #expect(!Set(owners).isDisjoint(with: depends), "\(library) of \(owners), not of \(depends)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "dpkg installs for root alone"))
    func dpkgInstallsItAndTakesItAway() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let deb = try Self.made.get()
            let root = directory.appending(path: "root")
            let state = root.appending(path: "var/lib/dpkg")
            for name in ["info", "updates", "triggers"] {
                try FileManager.default.createDirectory(
                    at: state.appending(path: name), withIntermediateDirectories: true)
            }
            // This machine's packages, so that dependencies are really judged.
            try FileManager.default.copyItem(
                at: URL(filePath: "/var/lib/dpkg/status"), to: state.appending(path: "status"))
            let dpkg = ["--root", root.path, "--log=/dev/null"]
            let installed = try SystemTool.run("dpkg", dpkg + ["-i", deb])
            #expect(installed.status == 0, "\(installed.standardOutput)")
            func place(_ path: String) -> String { root.appending(path: path).path }

            #expect(try SystemTool.run(place("usr/bin/snpack"), ["--version"]).standardOutput.hasPrefix("snpack "))
            let page = try SystemTool.run("man", ["-M", place("usr/share/man"), "snpack-key-show"])
            #expect(page.standardOutput.contains("snpack-key-show"), "\(page)")
            for path in [
                "usr/share/bash-completion/completions/snpack", "usr/share/zsh/vendor-completions/_snpack",
                "usr/share/fish/vendor_completions.d/snpack.fish", "usr/share/doc/snpack/examples/serve/nginx.conf",
                "usr/share/doc/snpack/copyright",
            ] {
                #expect(FileManager.default.fileExists(atPath: place(path)), "\(path)")
            }
            let changelog = try SystemTool.run("zcat", [place("usr/share/doc/snpack/changelog.gz")])
            let parsed = try SystemTool.run("dpkg-parsechangelog", ["-l", "-"], input: changelog.output)
            #expect(parsed.status == 0 && parsed.standardError == "", "\(parsed)")
            #expect(parsed.standardOutput.contains("\nChanges:\n snpack ("))
            #expect(!changelog.standardOutput.contains("\n## "))
            #expect(changelog.standardOutput.split(separator: "\n").allSatisfy { $0.count <= 80 })

            let removed = try SystemTool.run("dpkg", dpkg + ["--purge", "snpack"])
            #expect(removed.status == 0, "\(removed.standardOutput)")
            #expect(!FileManager.default.fileExists(atPath: place("usr")))
        }
    }
}

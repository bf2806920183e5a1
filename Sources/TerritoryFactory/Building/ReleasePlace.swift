import Diagnostics
import DurableFiles
import TerritoryModel
import TerritoryPackage

extension StagingDirectory {
    /// Puts the finished release that this directory holds in its place in its territory's directory. One that is there
    /// and not signed gives way.
    ///
    /// - Returns: true when the same release is there already, signed; then nothing changes.
    /// - Throws: `release.exists` when another one is there, signed.
    func promote(asReleaseIn territory: Directory, _ manifest: Manifest) throws(SnpackError) -> Bool {
        let name = manifest.version.rawValue
        guard try territory.contains(name) else {
            try promote(to: name)
            return false
        }
        let there = try territory.directory(name)
        let bytes = try? there.contents(of: PackageFile.manifest, limit: Limits.manifestBytes)
        if try there.contains(PackageFile.signature) {
            if bytes == manifest.canonicalBytes { return true }
            throw SnpackError(
                .releaseExists, "another release of \(manifest.name) is there, and it is signed",
                hint: "build under a higher version, or remove the directory", path: there.path)
        }
        let old = TemporaryName.make()
        try territory.rename(name, to: old, replacing: false)
        try promote(to: name)
        try territory.removeTree(old)
        return false
    }
}

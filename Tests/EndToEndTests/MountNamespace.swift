import Foundation
import SnpackTestSupport

/// Runs programs where file systems are mounted that nobody else sees.
enum MountNamespace {
    private static let unshare = ["--map-root-user", "--mount"]

    /// Whether the kernel lets this user do it.
    static let isPermitted: Bool = {
        let words = unshare + ["bash", "-c", "mount -t tmpfs none /mnt && mount -o remount,bind,ro /mnt"]
        return (try? SystemTool.run("unshare", words))?.status == 0
    }()

    /// Runs `script` with `words` as its arguments `$0`, `$1` and so on.
    static func run(_ script: String, _ words: [String], in directory: URL) throws -> ToolResult {
        try SystemTool.run("unshare", unshare + ["bash", "-ec", script] + words, in: directory, seconds: 120)
    }
}

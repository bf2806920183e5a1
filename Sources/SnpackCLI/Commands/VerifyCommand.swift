package import Arguments
package import Diagnostics
import DurableFiles
import TerritoryModel
import TerritoryPackage

package struct VerifyCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "verify", "check a channel, release or package against keys",
            discussion: """
                Checks signatures, listings, sizes and every blob, and changes nothing. Every fault is reported, and the exit \
                status is 3 on any; 8 if all of them are things too new for this version; 4 if TARGET itself is not there.
                """,
            positionals: [
                PositionalSpec("TARGET", "a channel (directory or URL), release, .snpkg or unpacked package")
            ],
            options: [
                .factoryKey, .regionKey, .flag("shallow", "signatures, listings and sizes only; no blob is read"),
                .flag("partial", "a channel may lack what its index lists, as a partial mirror does"),
                .value("junit", "FILE", "write the outcome for CI as JUnit XML", form: .path),
            ],
            rules: [.atLeastOne(["factory-key", "region-key"])],
            examples: [
                CommandExample(
                    "snpack verify channel --factory-key keys/factory.pub", "check a channel, all blobs included")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let target = arguments.required("TARGET")
        let depth: ProofDepth = arguments.flag("shallow") ? .shallow : .deep
        let verification = Verification(
            keys: try arguments.pinnedKeys(), depth: depth, isPartial: arguments.flag("partial"), now: .now,
            context: session.context)
        let finding = try verification.judge(target)
        if let path = arguments.value("junit") {
            let (directory, name) = try Directory.parent(of: path)
            try directory.write(Array(JUnitReport.text(of: finding, target: target).utf8), to: name)
        }
        // Only a deep look may say "verified".
        let verdict = finding.faults.isEmpty ? (depth == .deep ? "verified" : "signatures and sizes are right") : nil
        let json: JSONObject = [
            "target": .string(target), "kind": .string(finding.kind), "ok": .bool(finding.faults.isEmpty),
            "depth": .string(depth == .deep ? "deep" : "shallow"),
            "fault_count": .number(JSONNumber(Int64(finding.faults.count))),
            "checked": .object(finding.counts),
        ]
        var result = CommandResult(
            json, lines: verdict.map { ["\(target): \($0) (\(finding.summary))"] } ?? [], faults: finding.faults)
        result.status = finding.status
        return result
    }
}

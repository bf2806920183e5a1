package import Arguments
import Blobs
package import Diagnostics
import DurableFiles
import ServedChannels
import TerritoryModel
import TerritoryPackage

package struct VerifyCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "verify", "check a channel, release or package against keys",
            discussion: """
                Checks signatures, listings, sizes and every blob, and changes nothing. Every fault is reported, and the exit \
                status is 3 on any; 8 if all of them are things too new for this version; 4 if TARGET itself is not there.

                Of a URL it also checks how the channel is served: exact bytes, ranges, ETags, lengths, cache headers and \
                missing files, as clients depend on them. In a GitHub workflow each fault becomes an annotation.
                """,
            positionals: [
                PositionalSpec("TARGET", "a channel (directory or URL), release, .snpkg or unpacked package")
            ],
            options: [
                .factoryKey, .regionKey, .flag("shallow", "signatures, listings and sizes only; no blob is read"),
                .value("sample", "N", "of each blob, prove the table and N chunks at random, not every byte"),
                .value("seed", "NUMBER", "take the same chunks as an earlier --sample"),
                .value(
                    "since", "INDEX", "an index.signed verified before: only what is new since is looked at",
                    form: .path),
                .value("expires-within", "TIME", "a fault if the index is good for no longer than this, as in 3d"),
                .flag("partial", "a channel may lack what its index lists, as a partial mirror does"),
                .value("junit", "FILE", "write the outcome for CI as JUnit XML", form: .path),
                .value("api-key-file", "FILE", "send the key in this file to TARGET's own host", form: .path),
                .flag("gateway", "TARGET is a gateway, with a gateway's paths; URL#REGION names a region there"),
            ],
            rules: [
                .atLeastOne(["factory-key", "region-key"]), .atMostOne(["shallow", "sample"]),
                .needs("seed", ["sample"]),
            ],
            examples: [
                CommandExample(
                    "snpack verify channel --factory-key keys/factory.pub", "check a channel, all blobs included"),
                CommandExample(
                    "snpack verify https://maps.example.org --factory-key keys/factory.pub --sample 2 --expires-within 3d",
                    "check in CI what a server really serves"),
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let target = arguments.required("TARGET")
        let keys = try arguments.pinnedKeys()
        let depth = try arguments.proofDepth()
        let verification = Verification(
            keys: keys, depth: depth, isPartial: arguments.flag("partial"), now: .now,
            validFor: try arguments.duration("expires-within")?.components.seconds ?? 0,
            since: try arguments.value("since").map { path throws(SnpackError) in
                try VerifiedIndexFile.read(path, keys: keys)
            }, context: session.context)
        let finding =
            if ServedChannel.isOne(target) {
                try verification.judge(ServedChannel(target, arguments, cancel: session.context.cancel))
            } else { try verification.judge(target) }
        if let path = arguments.value("junit") {
            let (directory, name) = try Directory.parent(of: path)
            try directory.write(Array(JUnitReport.text(of: finding, target: target).utf8), to: name)
        }
        var json: JSONObject = [
            "target": .string(target), "kind": .string(finding.kind), "ok": .bool(finding.faults.isEmpty),
            "depth": .string(depth.name),
            "fault_count": .number(JSONNumber(Int64(finding.faults.count))),
            "checked": .object(finding.counts),
        ]
        var summary = finding.summary
        if case .sampled(let sample) = depth {
            json["seed"] = .number(JSONNumber(sample.seed))
            summary += ", seed \(sample.seed)"
        }
        var result = CommandResult(
            json, lines: finding.faults.isEmpty ? ["\(target): \(depth.verdict) (\(summary))"] : depth.memo,
            faults: finding.faults)
        result.status = finding.status
        if session.environment["GITHUB_ACTIONS"] != nil { result.annotations = GitHubAnnotations.lines(of: finding) }
        return result
    }
}

extension ParsedArguments {
    fileprivate func proofDepth() throws(SnpackError) -> ProofDepth {
        guard let count = try unsignedInteger("sample", in: 1...1_000_000) else {
            return flag("shallow") ? .shallow : .deep
        }
        // What JSON numbers hold exactly.
        let seeds: ClosedRange<UInt64> = 0...Limits.byteCount
        let seed = try unsignedInteger("seed", in: seeds) ?? UInt64.random(in: seeds)
        return .sampled(ChunkSample(count: Int(count), seed: seed))
    }
}

extension ProofDepth {
    fileprivate var name: String {
        switch self {
        case .shallow: "shallow"
        case .sampled: "sampled"
        case .deep: "deep"
        }
    }

    /// What is worth knowing also where faults were found.
    fileprivate var memo: [String] {
        if case .sampled(let sample) = self { ["sampled with --seed \(sample.seed)"] } else { [] }
    }

    /// Only a deep look may say "verified".
    fileprivate var verdict: String {
        switch self {
        case .shallow: "signatures and sizes are right"
        case .sampled: "signatures, sizes and the sampled chunks are right"
        case .deep: "verified"
        }
    }
}

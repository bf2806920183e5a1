import Foundation
import SnpackTestSupport
import Testing

/// The main job and a store's life where a machine is poor, odd or full.
@Suite struct SurroundingsTests {
    /// From a definition to an installed, verified and updated territory; `$0` is snpack, `$STORE` the store.
    private static let journey = """
        set -e
        for version in 1.0.0 1.1.0; do
            echo "note of $version" > note.txt
            "$0" build demo.json --version $version --level 1
            "$0" sign build/demo/$version --key keys/factory.key
            "$0" publish build/demo/$version --channel channel --key keys/factory.key
            "$0" verify channel --factory-key keys/factory.pub
            "$0" store sync channel demo --root "$STORE" --factory-key keys/factory.pub
        done
        "$0" pack build/demo/1.1.0 -o demo.snpkg
        "$0" unpack demo.snpkg -o out --factory-key keys/factory.pub
        "$0" verify out --factory-key keys/factory.pub
        "$0" store verify demo --root "$STORE" --factory-key keys/factory.pub
        "$0" store rollback demo --root "$STORE" --factory-key keys/factory.pub
        "$0" store repair demo --root "$STORE" --factory-key keys/factory.pub
        "$0" store list --root "$STORE" --factory-key keys/factory.pub
        "$0" store remove demo --root "$STORE" --factory-key keys/factory.pub
        """

    /// What goes before the journey, by what it is.
    struct Surroundings: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let script: String
    }

    static let surroundings: [Surroundings] = [
        Surroundings(testDescription: "32 open files", script: "ulimit -n 32"),
        Surroundings(testDescription: "1 GB of address space", script: "ulimit -v 1000000"),
        Surroundings(testDescription: "files of the owner alone", script: "umask 077"),
        Surroundings(
            testDescription: "no home, no variable, no locale",
            script:
                #"[ -n "$BARE" ] || exec env -i BARE=1 PATH=/usr/bin:/bin "STORE=$STORE" bash -c "source ./journey.sh" "$0""#
        ),
        Surroundings(
            testDescription: "a home that is not there",
            script: "export HOME=/proc/nonexistent TMPDIR=/proc/nonexistent"),
        Surroundings(testDescription: "the C locale", script: "export LC_ALL=C LANG=C"),
        Surroundings(testDescription: "no terminal and no input", script: "exec < /dev/null; trap '' HUP"),
        Surroundings(testDescription: "a closed stdout and stdin", script: "exec <&- >/dev/null"),
        Surroundings(testDescription: "SIGPIPE as its parent had it", script: "trap '' PIPE"),
        Surroundings(
            testDescription: "a store at a path of spaces, emoji and 900 bytes",
            script:
                #"STORE="a store 🗺️/$(printf 'x%.0s' {1..250})/$(printf 'y%.0s' {1..250})/$(printf 'z%.0s' {1..250})/$(printf '🧭%.0s' {1..30})""#
        ),
    ]

    @Test("the whole way works where the surroundings are poor", arguments: surroundings)
    func wholeWay(_ surroundings: Surroundings) throws {
        try Workshop.open { shop in
            try shop.write("journey.sh", "\(surroundings.script)\n\(Self.journey)")
            let result = try SystemTool.run(
                "bash", ["-c", #"source ./journey.sh"#, SnpackProcess.path], in: shop.root,
                environment: ["STORE": "store"])
            #expect(result.status == 0, "\(result)")
            #expect(shop.leftovers() == [])
        }
    }

    // MARK: - File systems

    @Test(
        "a full disk is status 6, keeps what was there, and the next run finishes",
        .enabled(if: MountNamespace.isPermitted, "the kernel does not let this user mount"))
    func fullDisk() throws {
        try Workshop.open { shop in
            try shop.write("tree/big", SplitMix.sample(700_000))
            try shop.release("1.0.0")
            try shop.write("tree/big", SplitMix.sample(900_000))
            try shop.release("1.1.0")
            // Each command in turn meets a disk with room for the first version and not for the second.
            let script = """
                mkdir small; mount -t tmpfs -o size=2400k none small || exit 99
                k="--factory-key keys/factory.pub"
                full() { set +e; "$0" "$@" 2>err; s=$?; set -e
                    [ $s = 6 ] && grep -q 'disk.full' err || { echo "$*: $s"; cat err; exit 1; }
                    test -z "$(find small -name '.snpack-tmp*')"; }
                "$0" publish build/demo/1.0.0 --channel small/channel --key keys/factory.key
                head -c 900000 /dev/urandom > small/ballast
                full publish build/demo/1.1.0 --channel small/channel --key keys/factory.key
                "$0" verify small/channel $k
                rm small/ballast
                "$0" publish build/demo/1.1.0 --channel small/channel --key keys/factory.key
                "$0" verify small/channel $k
                rm -r small/channel
                "$0" store install build/demo/1.0.0 --root small/store $k
                head -c 1200000 /dev/urandom > small/ballast
                full store install build/demo/1.1.0 --root small/store $k
                "$0" store verify demo --root small/store $k
                "$0" store list --root small/store $k | grep -q 1.0.0
                rm small/ballast
                "$0" store install build/demo/1.1.0 --root small/store $k
                "$0" store verify demo --root small/store $k
                rm -r small/store
                head -c 1900000 /dev/urandom > small/ballast
                full build demo.json --version 1.2.0 --out small/build
                full pack build/demo/1.1.0 -o small/demo.snpkg
                full unpack build/demo/1.1.0 -o small/out $k
                test "$(ls small/build | wc -l)" = 0
                rm small/ballast
                "$0" build demo.json --version 1.2.0 --out small/build
                """
            let result = try MountNamespace.run(script, [SnpackProcess.path], in: shop.root)
            #expect(result.status == 0, "\(result)")
        }
    }

    @Test("a file over the limit of a process is status 6, and nothing is left of it")
    func fileSizeLimit() throws {
        try Workshop.open { shop in
            try shop.write("tree/big", SplitMix.sample(100_000))
            try shop.release("1.0.0")
            let script = """
                limited() { set +e; (ulimit -f 40; exec "$0" "$@" 2>err); s=$?; set -e
                    [ $s = 6 ] && grep -q 'disk.io' err || { echo "$*: $s"; cat err; exit 1; }; }
                limited build demo.json --version 1.1.0 --no-cache
                limited publish build/demo/1.0.0 --channel channel --key keys/factory.key
                limited pack build/demo/1.0.0 -o demo.snpkg
                limited unpack build/demo/1.0.0 -o out --factory-key keys/factory.pub
                limited store install build/demo/1.0.0 --root store --factory-key keys/factory.pub
                "$0" publish build/demo/1.0.0 --channel channel --key keys/factory.key
                """
            let result = try SystemTool.run("bash", ["-ec", script, SnpackProcess.path], in: shop.root)
            #expect(result.status == 0, "\(result)")
            #expect(!shop.exists("out") && !shop.exists("demo.snpkg") && !shop.exists("build/demo/1.1.0"))
            #expect(shop.leftovers() == [])
        }
    }

    @Test(
        "a read-only channel verifies and serves, and is status 6 to who would change it",
        .enabled(if: MountNamespace.isPermitted, "the kernel does not let this user mount"))
    func readOnlyChannel() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            try shop.release("1.1.0")
            let script = """
                mount --bind channel channel; mount -o remount,bind,ro channel
                mount --bind build build; mount -o remount,bind,ro build
                k="--factory-key keys/factory.pub"
                "$0" verify channel $k
                "$0" list channel
                "$0" store sync channel demo --root store $k
                refused() { set +e; "$0" "$@" 2>err; s=$?; set -e; [ $s = 6 ] || { echo "$*: $s"; cat err; exit 1; }; }
                refused publish build/demo/1.1.0 --channel channel --key keys/factory.key
                refused build demo.json --version 1.2.0
                refused sign build/demo/1.1.0 --key keys/factory.key
                """
            let result = try MountNamespace.run(script, [SnpackProcess.path], in: shop.root)
            #expect(result.status == 0, "\(result)")
        }
    }

    @Test(
        "a release on another file system is copied into the channel",
        .enabled(if: MountNamespace.isPermitted, "the kernel does not let this user mount"))
    func channelOnAnotherDevice() throws {
        try Workshop.open { shop in
            let script = """
                mkdir channel other; mount -t tmpfs none channel; mount -t tmpfs none other
                "$0" build demo.json --version 1.0.0 --out other
                "$0" sign other/demo/1.0.0 --key keys/factory.key
                "$0" publish other/demo/1.0.0 --channel channel --key keys/factory.key
                "$0" verify channel --factory-key keys/factory.pub
                test "$(find channel -links +1 -type f | wc -l)" = 0
                """
            let result = try MountNamespace.run(script, [SnpackProcess.path], in: shop.root)
            #expect(result.status == 0, "\(result)")
        }
    }

    // MARK: - Company

    @Test("four publishers at once end well or busy, and together publish everything", arguments: [2, 4])
    func publishersAtOnce(count: Int) throws {
        try Workshop.open { shop in
            let versions = (0..<count).map { "1.\($0).0" }
            for version in versions {
                try shop.write("note.txt", "note of \(version)")
                try shop.release(version)
            }
            let script = """
                for v in \(versions.joined(separator: " ")); do
                    ( while :; do
                        "$0" publish build/demo/$v --channel channel --key keys/factory.key; s=$?
                        [ $s = 5 ] || { echo "$v $s"; break; }
                        sleep 0.02
                    done ) 2>/dev/null &
                done
                wait
                """
            let result = try SystemTool.run("bash", ["-c", script, SnpackProcess.path], in: shop.root)
            let ends = result.standardOutput.split(separator: "\n").filter { $0.hasSuffix(" 0") }
            #expect(ends.count == count, "\(result)")
            #expect(try shop.sequence() == count)
            #expect(try shop.verify("channel").status == 0)
            #expect(shop.leftovers() == [])
        }
    }

    @Test("a lock file that somebody left behind blocks nobody")
    func staleLock() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.write("channel/.snpack/lock", "4711")
            try shop.publish("1.0.0")
            #expect(try shop.verify("channel").status == 0)
        }
    }
}

/// One command to be killed, what it starts from, and what must hold whenever it is stopped.
///
/// In the scripts `$0` is snpack and `$k` the pinned key. There are `channel-1` and `store-1` of demo 1.0.0, `channel-2`
/// and `store-2` of 1.0.0 and 1.1.0, the releases of both, and the release of a country to cut.
struct Ordeal {
    let name: String
    /// Run before each kill, to have something to do.
    let setUp: String
    let command: String
    /// Must succeed after the kill: what is there is whole.
    let soundness: String
    /// What ends the job, if it is not the command once more.
    var again: String?

    static let all = releases + channels + stores

    private static let releases = [
        Ordeal(
            name: "build", setUp: "rm -rf build/demo/2.0.0",
            command: #""$0" build demo.json --version 2.0.0 --level 1"#,
            soundness: #"[ ! -e build/demo/2.0.0 ] || "$0" unpack build/demo/2.0.0 -o out --no-verify; rm -rf out"#),
        Ordeal(
            name: "sign", setUp: "rm -f build/demo/1.1.0/manifest.json.sig",
            command: #""$0" sign build/demo/1.1.0 --key keys/factory.key"#,
            soundness: #"[ ! -e build/demo/1.1.0/manifest.json.sig ] || "$0" verify build/demo/1.1.0 $k"#),
        Ordeal(
            name: "pack", setUp: "rm -f demo.snpkg", command: #""$0" pack build/demo/1.0.0 -o demo.snpkg"#,
            soundness: #"[ ! -e demo.snpkg ] || "$0" verify demo.snpkg $k"#),
        Ordeal(
            name: "unpack", setUp: "rm -rf out", command: #""$0" unpack build/demo/1.0.0 -o out $k || [ $? = 5 ]"#,
            soundness: #"[ ! -e out ] || "$0" verify out $k"#),
        Ordeal(
            name: "cut", setUp: "rm -rf regions",
            command:
                #""$0" cut build/country/1.0.0 $k --bbox 9.48,47.1,9.56,47.2 --name Vaduz -o regions"#,
            soundness:
                #"for r in regions/*/1.0.0; do [ ! -e "$r" ] || "$0" unpack "$r" -o out --no-verify; done; rm -rf out"#),
    ]

    private static let fresh = "rm -rf channel mirror second; cp -r channel-2 channel; rm -f keys/*.published.json"
    private static let sign = "--channel channel --key keys/factory.key --adopt"

    private static let channels = [
        Ordeal(
            name: "publish", setUp: "rm -rf channel; cp -r channel-1 channel; rm -f keys/*.published.json",
            command: #""$0" publish build/demo/1.1.0 \#(sign)"#, soundness: #""$0" verify channel $k"#),
        Ordeal(
            name: "two publishers", setUp: "rm -rf channel; rm -f keys/*.published.json",
            command: #"""
                one() { "$0" publish build/demo/$1 \#(sign) || [ $? = 5 ]; }
                one 1.0.0 & one 1.1.0 & wait
                """#,
            soundness: #"[ ! -e channel/index.signed ] || "$0" verify channel $k"#,
            again: #"for v in 1.0.0 1.1.0; do "$0" publish build/demo/$v \#(sign) || exit; done"#),
        Ordeal(
            name: "yank", setUp: fresh, command: #""$0" yank demo@1.1.0 --reason bad \#(sign)"#,
            soundness: #""$0" verify channel $k"#),
        Ordeal(
            name: "republish", setUp: fresh, command: #""$0" republish demo@1.0.0 --as 1.2.0 \#(sign)"#,
            soundness: #""$0" verify channel $k"#),
        Ordeal(
            name: "prune", setUp: fresh, command: #""$0" prune --keep 1 --grace 0s \#(sign)"#,
            soundness: #""$0" verify channel $k"#),
        // A mirror's pair is written before index.signed, so it may be ahead.
        Ordeal(
            name: "mirror", setUp: fresh, command: #""$0" mirror channel mirror $k"#,
            soundness: #"[ ! -e mirror/index.signed ] || "$0" verify mirror $k"#),
        Ordeal(
            name: "resign", setUp: fresh,
            command: #""$0" resign --channel channel --key keys/new.key --out second $k"#,
            soundness: #"[ ! -e second/index.signed ] || "$0" verify second --factory-key keys/new.pub"#),
    ]

    private static let sync = #""$0" store sync channel-2 demo --root store $k"#
    private static let verified = #""$0" store verify demo --root store $k"#
    private static let verifiedIfThere =
        #"list=$("$0" store list --root store $k) && case $list in *demo*) "$0" store verify demo --root store $k ;; esac"#

    private static let stores = [
        Ordeal(
            name: "install", setUp: "rm -rf store", command: #""$0" store sync channel-1 demo --root store $k"#,
            soundness: verifiedIfThere),
        Ordeal(
            name: "update", setUp: "rm -rf store; cp -r store-1 store", command: sync, soundness: verified),
        Ordeal(
            name: "four stores at once", setUp: "rm -rf store; cp -r store-1 store",
            command: "one() { \(sync) || [ $? = 5 ]; }; one & one & one & one & wait", soundness: verified, again: sync),
        Ordeal(
            name: "repair",
            setUp:
                "rm -rf store; cp -r store-1 store; f=store/territories/demo/1.0.0/package/tree/b; chmod 644 $f; echo > $f",
            command: #""$0" store repair demo channel-2 --root store $k"#,
            soundness: #""$0" store list --root store $k | grep -q 1.0.0"#),
        Ordeal(
            name: "rollback", setUp: "rm -rf store; cp -r store-2 store",
            command: #""$0" store rollback demo --root store $k"#, soundness: verified, again: sync),
        Ordeal(
            name: "remove", setUp: "rm -rf store; cp -r store-1 store",
            command: #""$0" store remove demo --root store $k"#, soundness: verifiedIfThere, again: sync),
    ]
}

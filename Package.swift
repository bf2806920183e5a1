// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// - Parameter embedded: files that are compiled in as `PackageResources`, so that the program stays a single file.
func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], embedded: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: exclude, resources: embedded.map { .embedInCode($0) },
        swiftSettings: swiftSettings)
}

func system(_ name: String, _ pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.byName(name: name), "SnpackTestSupport"] + dependencies,
        swiftSettings: swiftSettings)
}

let package = Package(
    name: "snpack",
    products: [
        .executable(name: "snpack", targets: ["snpack"]),
        .library(
            name: "TerritoryClient",
            targets: ["TerritoryClient", "TerritoryPackage", "TerritoryModel", "Signing", "MapLayers", "Diagnostics"]),
    ],
    targets: [
        // Level C: system libraries, and our BLAKE3.
        system("CSodium", "libsodium", apt: "libsodium-dev"),
        system("CZstd", "libzstd", apt: "libzstd-dev"),
        system("CArchive", "libarchive", apt: "libarchive-dev"),
        system("CSQLite", "sqlite3", apt: "libsqlite3-dev"),
        system("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
        system("CZlib", "zlib", apt: "zlib1g-dev"),
        system("CDeflate", "libdeflate", apt: "libdeflate-dev"),
        system("CUtf8proc", "libutf8proc", apt: "libutf8proc-dev"),
        .target(name: "CBlake3", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CLinux", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CCurlShim", dependencies: ["CCurl"], cSettings: [.treatAllWarnings(as: .error)]),

        // Level 0
        library("Diagnostics"),
        library("Hashing", ["CBlake3", "Diagnostics"]),
        library("Parallel", ["Diagnostics"]),

        // Level 1
        library("TerritoryModel", ["CUtf8proc", "Diagnostics", "Hashing"]),
        library("Signing", ["CSodium", "Diagnostics", "Hashing"]),
        library("DurableFiles", ["CLinux", "Diagnostics", "Hashing"]),
        library("Transfer", ["CCurl", "CCurlShim", "Diagnostics"]),
        library("Arguments", ["Diagnostics"]),
        library("Compression", ["CDeflate", "CZstd", "CZlib", "Diagnostics"]),
        library("Database", ["CSQLite", "Diagnostics"]),

        // Level 2
        library(
            "MapLayers",
            [
                "CArchive", "Compression", "Database", "Diagnostics", "DurableFiles", "Hashing", "Parallel",
                "TerritoryModel",
            ]),
        library(
            "Blobs", ["Compression", "Diagnostics", "DurableFiles", "Hashing", "Parallel", "TerritoryModel"]),

        // Level 3
        library(
            "TerritoryPackage",
            ["Blobs", "Diagnostics", "DurableFiles", "Hashing", "Parallel", "Signing", "TerritoryModel"]),

        // Level 4
        library(
            "TerritoryFactory",
            [
                "Blobs", "Compression", "Database", "Diagnostics", "DurableFiles", "Hashing", "MapLayers", "Parallel",
                "Signing", "TerritoryModel", "TerritoryPackage",
            ],
            exclude: ["Catalogue/Page/README.md"],
            embedded: [
                "page.html", "page.css", "land.txt", "channel.js", "maps.js", "list.js", "signature.js",
            ].map { "Catalogue/Page/" + $0 }),
        library(
            "TerritoryClient",
            [
                "Blobs", "Compression", "Diagnostics", "DurableFiles", "Hashing", "MapLayers", "Parallel", "Signing",
                "TerritoryModel", "TerritoryPackage", "Transfer",
            ]),

        library(
            "ServedChannels",
            [
                "Compression", "Diagnostics", "DurableFiles", "Hashing", "TerritoryModel", "TerritoryPackage",
                "Transfer",
            ]),

        // Level 5
        library(
            "SnpackCLI",
            [
                "Arguments", "Blobs", "Compression", "Diagnostics", "DurableFiles", "Hashing", "MapLayers", "Parallel",
                "ServedChannels", "Signing", "TerritoryClient", "TerritoryFactory", "TerritoryModel",
                "TerritoryPackage", "Transfer",
            ]),
        .executableTarget(name: "snpack", dependencies: ["SnpackCLI"], swiftSettings: swiftSettings),

        // Tests
        .target(
            name: "SnpackTestSupport", dependencies: ["Diagnostics", "DurableFiles"], path: "Tests/SnpackTestSupport",
            exclude: ["Vectors"], swiftSettings: swiftSettings),
        tests("Diagnostics"),
        tests("Hashing", ["Diagnostics"]),
        tests("Parallel", ["Diagnostics"]),
        tests("TerritoryModel", ["Diagnostics", "Hashing"]),
        tests("Signing", ["Diagnostics", "Hashing"]),
        tests("DurableFiles", ["Diagnostics", "Hashing"]),
        tests("Transfer", ["Diagnostics"]),
        tests("Arguments", ["Diagnostics"]),
        tests("Compression", ["Diagnostics"]),
        tests("Database", ["Diagnostics"]),
        tests("MapLayers", ["Compression", "Database", "Diagnostics", "DurableFiles", "Hashing", "TerritoryModel"]),
        tests("Blobs", ["Compression", "Diagnostics", "DurableFiles", "Hashing", "TerritoryModel"]),
        tests(
            "TerritoryPackage",
            ["Blobs", "Diagnostics", "DurableFiles", "Hashing", "Parallel", "Signing", "TerritoryModel"]),
        tests(
            "TerritoryFactory",
            [
                "Blobs", "Diagnostics", "DurableFiles", "Hashing", "MapLayers", "Parallel", "Signing",
                "TerritoryModel", "TerritoryPackage",
            ]),
        tests(
            "TerritoryClient",
            [
                "Blobs", "Diagnostics", "DurableFiles", "Hashing", "MapLayers", "Parallel", "Signing",
                "TerritoryFactory", "TerritoryModel", "TerritoryPackage", "Transfer",
            ]),
        tests(
            "SnpackCLI", ["Arguments", "Diagnostics", "DurableFiles", "Signing", "TerritoryFactory", "TerritoryModel"]),
        .target(
            name: "OutsideReaders",
            dependencies: [
                "Blobs", "Compression", "Diagnostics", "DurableFiles", "Hashing", "MapLayers", "ServedChannels",
                "Signing",
                "TerritoryClient", "TerritoryFactory", "TerritoryModel", "TerritoryPackage", "Transfer",
            ], path: "Tests/OutsideReaders", swiftSettings: swiftSettings),
        tests("OutsideReaders"),
        .testTarget(
            name: "EndToEndTests", dependencies: ["Diagnostics", "SnpackTestSupport"], swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)

// Only scripts/fuzz builds this: everything in it is instrumented, and libFuzzer is linked.
if Context.environment["SNPACK_LIBFUZZER"] != nil {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Tests/CLibFuzzer"),
        .executableTarget(
            name: "snpack-fuzz", dependencies: ["CLibFuzzer", "OutsideReaders"], path: "Tests/Fuzz",
            swiftSettings: swiftSettings, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    ]
}

// Only scripts/test --sanitize thread builds these.
if Context.environment["SNPACK_THREAD_SANITIZER"] != nil {
    package.targets.first { $0.name == "SnpackTestSupport" }?.dependencies.append("CThreadSanitizer")
    package.targets += [
        .target(name: "CThreadSanitizer", path: "Tests/CThreadSanitizer", cSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "race-probe", dependencies: ["CThreadSanitizer"], path: "Tests/RaceProbe",
            swiftSettings: swiftSettings),
    ]
}

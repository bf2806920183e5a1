import Arguments
import Diagnostics
import DurableFiles
import FoundationEssentials
import Signing
import TerritoryClient
import TerritoryModel
import TerritoryPackage

/// `snpack store …`
enum StoreFamily {
    static let spec = CommandSpec(
        "store", "install, update, verify, repair and search territories",
        discussion: """
            A store is a directory of installed territories. It trusts the keys given and nothing else; whatever fails or \
            is stopped leaves what was installed as it was, and running the same command again finishes the job.
            """,
        options: [
            .value("root", "DIR", "the store's directory", form: .directory, required: true), .factoryKey, .regionKey,
            .repeated(
                "retired-key", "K",
                "a key that verifies only what is installed already: 64 hex characters or a .pub file",
                form: .path),
            .value("channel-name", "NAME", "the channel that countries come from (default: main)"),
        ])

    static let commands: [any Command] = [
        StoreInstallCommand(), StoreSyncCommand(), StoreCheckCommand(), StoreListCommand(), StoreActivateCommand(),
        StoreActiveCommand(), StorePathCommand(), StoreStyleCommand(), StoreSearchCommand(), StoreReverseCommand(),
        StoreVerifyCommand(), StoreRepairCommand(), StoreRollbackCommand(), StoreRemoveCommand(), StoreCacheCommand(),
    ]

    /// Without a key nothing could be read.
    static let rules: [OptionRule] = [.atLeastOne(["factory-key", "region-key"])]

    static let id = PositionalSpec("ID", "the territory's id, as in liechtenstein", form: .text)

    static let installOptions: [OptionSpec] = [
        .repeated("omit", "KIND", "leave out layers of this kind; later updates leave them out too"),
        .flag("all-layers", "take every layer, also those left out before"),
        .value(
            "keep", "N", "how many versions before the current one to keep: 0 or 1 (default)",
            form: .choice(["0", "1"])),
        .flag("allow-downgrade", "go back to an older version than is installed"),
        .flag("allow-yanked", "install a version that the publisher withdrew"),
    ]

    static let indexOptions: [OptionSpec] = [
        .flag("allow-expired", "go by an index that has expired, or is older than --max-age"),
        .flag("allow-older-index", "go by an index that is older than one seen before, this once"),
        .value("max-age", "TIME", "refuse an index that is older than this, as in 7d"),
        .repeated("engine", "NAME=VERSION", "an engine that is here; versions that need a newer one are not offered"),
    ]

    static let transportOptions: [OptionSpec] = [
        .value("api-key-file", "FILE", "send the key in this file to SOURCE's own host", form: .path),
        .flag("gateway", "SOURCE is a gateway, with a gateway's paths"),
    ]
}

extension ParsedArguments {
    /// The store that a command is about.
    func store(in session: Session, keepsPrevious: Bool = true) throws(SnpackError) -> TerritoryStore {
        let keys = try PinnedKeys(
            factory: factoryKeys(), region: regionKeys(),
            retired: values("retired-key").map { text throws(SnpackError) in try publicKey(text) })
        var options = StoreOptions()
        if let name = value("channel-name") { options.channel = try ChannelName(parsing: name) }
        if path.options.contains(where: { $0.name == "engine" }), isGiven("engine") {
            var engines: [EngineName: TerritoryVersion] = [:]
            for (name, version) in try pairs("engine") {
                engines[try EngineName(parsing: name)] = try TerritoryVersion(parsing: version)
            }
            options.engines = engines
        }
        options.keepsPrevious = keepsPrevious
        options.jobs = session.context.jobs
        options.reporter = session.context.report
        return TerritoryStore(root: URL(filePath: required("root")), keys: keys, options: options)
    }

    func territoryID(_ name: String = StoreFamily.id.name) throws(SnpackError) -> TerritoryID {
        try TerritoryID(parsing: required(name))
    }

    /// `ID` or `ID@VERSION`.
    func selection(_ text: String) throws(SnpackError) -> (id: TerritoryID, version: TerritoryVersion?) {
        guard text.contains("@") else { return (try TerritoryID(parsing: text), nil) }
        let name = try releaseName(text)
        return (name.territoryID, name.version)
    }

    /// What the options say beside the version.
    func installRequest() throws(SnpackError) -> InstallRequest {
        var request = InstallRequest()
        func isOn(_ name: String) -> Bool { path.options.contains { $0.name == name } && isGiven(name) }
        if isOn("all-layers") { request.omit = [] }
        if isOn("omit") {
            request.omit = Set(try values("omit").map { text throws(SnpackError) in try LayerKind(parsing: text) })
        }
        let flags: [(String, Allowances)] = [
            ("allow-downgrade", .downgrade), ("allow-yanked", .yanked), ("allow-expired", .expired),
            ("allow-older-index", .olderIndex),
        ]
        for (name, allowance) in flags where isOn(name) { request.allowances.insert(allowance) }
        if isOn("max-age") { request.maxAge = try duration("max-age")?.components.seconds }
        return request
    }

    /// The channel at a URL or in a directory; nil if something else is there.
    func transport(
        _ place: SourceReference.Place, for id: TerritoryID?
    ) throws(SnpackError) -> (any ChannelTransport)? {
        switch place {
        case .url(let url):
            let apiKey = try value("api-key-file").map { path throws(SnpackError) in
                try OpenFile(reading: path).allBytes(limit: 8_192)
            }
            let layout: HTTPTransport.Layout =
                if !flag("gateway") { .files } else if let id, id.isRegion {
                    .regionGateway(territoryId: id.rawValue)
                } else { .gateway }
            return try HTTPTransport(url: url, layout: layout, apiKey: apiKey, version: SnpackVersion.number)
        case .path(let text):
            let path = Self.path(ofFileURL: text) ?? text
            guard case .channel = try LocalSource(opening: path) else { return nil }
            return try ChannelDirectoryTransport(path: path)
        }
    }

    /// What a `file:` URL names.
    static func path(ofFileURL text: String) -> String? {
        guard text.hasPrefix("file:"), let url = URL(string: text), url.isFileURL else { return nil }
        return url.path(percentEncoded: false)
    }
}

public import Foundation

/// Valhalla's own router, run on a tile tree to judge it.
public struct ValhallaService {
    /// Where `scripts/python-packages` unpacked Valhalla's programs, if it did.
    private static let wheel: URL? = ProcessInfo.processInfo.environment["SNPACK_PYTHON_PACKAGES"].flatMap {
        let url = URL(filePath: $0).appending(path: "valhalla-wheel")
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }
    /// Why tests that need it may be skipped.
    public static let isInstalled = wheel != nil

    /// A route's length in kilometres, time in seconds and street names.
    public struct Route: Equatable, Sendable {
        public let length: Double
        public let time: Double
        public let manoeuvres: Int
        public let streets: [String]
    }

    /// The sample's known request.
    public static let sampleRequest =
        #"{"locations":[{"lat":47.141,"lon":9.5215},{"lat":47.0661,"lon":9.5035}],"costing":"auto","units":"kilometers"}"#

    private let configuration: URL
    private let wheel: URL

    /// - Parameters:
    ///   - tiles: the tile tree.
    ///   - directory: where the configuration is written.
    public init(tiles: URL, in directory: URL) throws {
        guard let wheel = Self.wheel else { throw CocoaError(.fileNoSuchFile) }
        self.wheel = wheel
        configuration = directory.appending(path: "valhalla.json")
        // The defaults are a Python dictionary in the wheel; values of its class `Optional` stand for nothing.
        let script = """
            import json, sys, types
            module = types.ModuleType("config")
            source = open(sys.argv[1] + "/valhalla/valhalla_build_config.py").read()
            exec(compile(source, "config", "exec"), module.__dict__)
            def plain(value):
                if not isinstance(value, dict): return value
                return {k: plain(v) for k, v in value.items() if type(v).__name__ != "Optional"}
            config = plain(module.config)
            for key in ("tile_extract", "traffic_extract", "admin", "timezone"): config["mjolnir"].pop(key, None)
            config["mjolnir"]["tile_dir"] = sys.argv[2]
            json.dump(config, open(sys.argv[3], "w"))
            """
        let result = try SystemTool.run("python3", ["-c", script, wheel.path, tiles.path, configuration.path])
        guard result.status == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: ["why": "\(result)"]) }
    }

    /// Runs Valhalla to its end; what it answers and says is in the result.
    public func run(_ request: String) throws -> ToolResult {
        try SystemTool.run(
            wheel.appending(path: "valhalla/bin/valhalla_service").path, [configuration.path, "route", request],
            environment: ["LD_LIBRARY_PATH": wheel.appending(path: "pyvalhalla.libs").path])
    }

    /// What Valhalla answers; nil when it finds no route.
    public func route(_ request: String = sampleRequest) throws -> Route? {
        let result = try run(request)
        struct Answer: Decodable {
            struct Trip: Decodable {
                struct Summary: Decodable { let length, time: Double }
                struct Leg: Decodable { let maneuvers: [Manoeuvre] }
                struct Manoeuvre: Decodable { let street_names: [String]? }
                let summary: Summary
                let legs: [Leg]
            }
            let trip: Trip?
        }
        // Its log shares stdout with the answer, which is one line of JSON.
        for line in result.standardOutput.split(separator: "\n") where line.hasPrefix("{") {
            guard let trip = try? JSONDecoder().decode(Answer.self, from: Data(line.utf8)).trip else { continue }
            let manoeuvres = trip.legs.flatMap(\.maneuvers)
            return Route(
                length: trip.summary.length, time: trip.summary.time, manoeuvres: manoeuvres.count,
                streets: manoeuvres.flatMap { $0.street_names ?? [] })
        }
        return nil
    }
}

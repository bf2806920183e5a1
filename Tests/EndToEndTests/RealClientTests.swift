import Foundation
import SnpackTestSupport
import Testing

/// The whole way: build, sign, publish, a real web server, a store, and then the programs that use what is installed.
@Suite struct RealClientTests {
    @Test(.enabled(if: NginxServer.isInstalled, "needs nginx (Debian: nginx-light)"))
    func syncsFromNginxRoutesDrawsAndSearches() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let journey = try Journey(in: directory)
            try journey.publish("1.0.0", from: "v1")
            let server = try NginxServer(root: directory.appending(path: "channel"))
            defer { server.stop() }
            let url = server.url("")
            #expect(try journey.store("sync", url, "liechtenstein").standardOutput.contains("installed"))

            if ValhallaService.isInstalled {
                let route = try ValhallaService(tiles: journey.path("valhalla-tiles"), in: directory).route()
                #expect(route?.length == 9.176 && route?.time == 639.04 && route?.streets.first == "Städtle")
            }
            #expect(try journey.names("Malbun").first == "Malbun")
            #expect(try journey.names("formatio Privatschule").first == "formatio Privatschule")
            #expect(try journey.names("Kesse").first == "Kesse")
            #expect(try !journey.names("Kesse Süd").contains("Kesse Süd"))

            try journey.publish("1.1.0", from: "v2")
            #expect(try journey.store("sync", url, "liechtenstein").standardOutput.contains("updated"))
            for street in ["Kesse", "Schmiedegass", "Im Fetzer", "Eschestrasse"] {
                let found = try journey.names(street + " Süd")
                #expect(found.first == street + " Süd")
                #expect(!found.contains(street))
            }
            #expect(try journey.names("Café am Markt").first == "Café am Markt")
            if ValhallaService.isInstalled {
                let route = try ValhallaService(tiles: journey.path("valhalla-tiles"), in: directory).route()
                #expect(route?.length == 9.176 && route?.time == 639.04)
            }
            _ = try journey.store("verify", "liechtenstein")
        }
    }

    @Test(.enabled(if: MapRenderer.isInstalled, "needs mapli (scripts/python-packages), xvfb and network namespaces"))
    func drawsInstalledStyleWithoutAnyNetwork() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let journey = try Journey(in: directory)
            try journey.publish("1.0.0", from: "v1")
            _ = try journey.store("install", "channel", "liechtenstein")
            let themes = ["light", "dark"]
            let styles = themes.map { directory.appending(path: "\($0).json") }
            for (theme, style) in zip(themes, styles) {
                try Data(journey.store("style", "liechtenstein", "--theme", theme).output).write(to: style)
            }
            let pictures = try MapRenderer.draw(styles: styles, box: [9.5, 47.12, 9.545, 47.16])
            for (theme, picture) in zip(themes, pictures) {
                // The Rhine runs through the box, and Vaduz and its streets are named in it.
                #expect(picture.water > 5_000, "\(theme): \(picture)")
                #expect(picture.symbols > 2_000, "\(theme): \(picture)")
                #expect(picture.colours > 50, "\(theme): \(picture)")
                if let kept = ProcessInfo.processInfo.environment["SNPACK_KEEP_PICTURES"] {
                    let target = URL(filePath: kept).appending(path: "\(theme).png")
                    try? FileManager.default.removeItem(at: target)
                    try FileManager.default.copyItem(at: directory.appending(path: "\(theme).png"), to: target)
                }
            }
        }
    }
}

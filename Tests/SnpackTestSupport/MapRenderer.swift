public import Foundation

/// MapLibre Native, run without any network on an installed style, to see that the map draws from local files alone.
public enum MapRenderer {
    private static let packages = ProcessInfo.processInfo.environment["SNPACK_PYTHON_PACKAGES"]

    /// Why tests that need it may be skipped.
    public static let isInstalled: Bool = {
        guard let packages, FileManager.default.fileExists(atPath: packages + "/mapli") else { return false }
        let tools = try? SystemTool.run("bash", ["-c", "command -v xvfb-run && unshare -n true"])
        return tools?.status == 0
    }()

    /// What a picture shows.
    public struct Picture: Decodable, Sendable {
        /// Pixels of the style's water colour.
        public let water: Int
        /// Pixels that differ when the style's symbol layers are taken away: labels and icons.
        public let symbols: Int
        /// Different colours.
        public let colours: Int
    }

    /// Draws `box` (west, south, east, north) of each style into a PNG beside it. One call draws all: a virtual screen
    /// that ends takes the socket of the next one with it.
    public static func draw(styles: [URL], box: [Double]) throws -> [Picture] {
        let script = """
            import io, json, sys
            sys.path.insert(0, sys.argv[1])
            import mapli
            from PIL import Image
            def draw(style, name):
                pool = mapli.RenderPool()
                pool.register_style(name, json=style)
                return pool.render_from_bounds(name, bbox=json.loads(sys.argv[2]), width=900, height=640)
            near = lambda a, b: all(abs(x - y) <= 3 for x, y in zip(a, b))
            def judge(path):
                style = json.load(open(path))
                png = draw(style, "whole")
                open(path.removesuffix(".json") + ".png", "wb").write(png)
                bare = dict(style, layers=[layer for layer in style["layers"] if layer["type"] != "symbol"])
                whole = Image.open(io.BytesIO(png)).convert("RGB")
                plain = Image.open(io.BytesIO(draw(bare, "bare"))).convert("RGB")
                water = next(
                    layer["paint"]["fill-color"] for layer in style["layers"]
                    if layer.get("source-layer") == "water" and layer["type"] == "fill")
                wanted = tuple(int(water[i:i + 2], 16) for i in (1, 3, 5))
                pixels, others = list(whole.getdata()), list(plain.getdata())
                return {"water": sum(near(p, wanted) for p in pixels), "colours": len(set(pixels)),
                        "symbols": sum(p != q for p, q in zip(pixels, others))}
            print(json.dumps([judge(path) for path in sys.argv[3:]]))
            """
        let words = ["python3", "-c", script, packages ?? "", "\(box)"] + styles.map(\.path)
        let result = try SystemTool.run("unshare", ["-n", "xvfb-run", "-a"] + words, seconds: 240)
        guard result.status == 0, let line = result.standardOutput.split(separator: "\n").last else {
            throw CocoaError(.fileReadUnknown, userInfo: ["why": "\(result)"])
        }
        return try JSONDecoder().decode([Picture].self, from: Data(line.utf8))
    }
}

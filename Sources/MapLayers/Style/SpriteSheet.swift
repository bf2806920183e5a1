import Diagnostics
import DurableFiles
import TerritoryModel

/// One scale of a sprite: names and rectangles in a JSON file, the picture in a PNG file.
struct SpriteSheet {
    private static let byteLimit = 8 << 20

    /// The images' names, as bytes.
    private(set) var names: Set<[UInt8]> = []

    /// Nil when either file cannot be read as what it should be.
    /// - Parameter scale: 1, or 2 for `@2x`.
    init?(
        json: any RandomAccess, png: any RandomAccess, pngPath: String, scale: Int, _ findings: inout StyleFindings
    ) throws(SnpackError) {
        let header: PNGHeader
        do throws(SnpackError) { header = try PNGHeader(png) } catch {
            guard error.code == .styleSpriteMalformed else { throw error }
            findings.fault(.styleSpriteMalformed, "its picture \(quoted(pngPath)) is damaged: \(error.message)")
            return nil
        }
        guard let images = try Self.object(json, &findings) else { return nil }
        for (name, value) in images.members {
            names.insert(Array(name.utf8))
            guard let image = value.objectValue, let rectangle = Rectangle(image) else {
                findings.fault(.styleSpriteMalformed, "the image \(quoted(name)) has no rectangle in whole pixels")
                continue
            }
            if rectangle.right > header.width || rectangle.bottom > header.height {
                findings.fault(
                    .styleSpriteMismatch,
                    "the image \(quoted(name)) reaches to \(rectangle.right), \(rectangle.bottom); "
                        + "the picture has \(header.width) by \(header.height) pixels",
                    hint: "JSON and PNG are of two builds: make the sprite again")
            }
            let ratio = image["pixelRatio"]?.numberValue?.double ?? 1
            if ratio != Double(scale) {
                findings.fault(
                    .styleSpriteMismatch, "the image \(quoted(name)) has pixelRatio \(ratio); here all have \(scale)")
            }
        }
    }

    private static func object(
        _ json: any RandomAccess, _ findings: inout StyleFindings
    ) throws(SnpackError) -> JSONObject? {
        guard json.byteCount <= UInt64(byteLimit) else {
            findings.fault(.styleSpriteMalformed, "\(json.byteCount) bytes are too many for a sprite")
            return nil
        }
        let bytes = try json.allBytes(limit: byteLimit)
        do throws(SnpackError) { return try StrictJSON.parse(bytes).objectValue } catch {
            findings.fault(.styleSpriteMalformed, "it is no JSON document: \(error.message)")
            return nil
        }
    }

    private struct Rectangle {
        let right: UInt64
        let bottom: UInt64

        /// Numbers over 2^53 are no integers here, so the sums cannot overflow.
        init?(_ image: JSONObject) {
            func number(_ key: String) -> UInt64? { image[key]?.numberValue?.unsignedInteger }
            guard let x = number("x"), let y = number("y"), let width = number("width"), width > 0,
                let height = number("height"), height > 0
            else { return nil }
            right = x + width
            bottom = y + height
        }
    }
}

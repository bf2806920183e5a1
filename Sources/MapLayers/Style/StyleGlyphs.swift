import Diagnostics
import DurableFiles
import Parallel

/// The glyph files of a style layer: for each font stack a directory, in it a file for each 256 characters.
struct StyleGlyphs {
    /// By the stack's name as bytes (names may differ in nothing but their Unicode form): does it have 0-255?
    private var hasLatin: [[UInt8]: Bool] = [:]
    private let template: (before: String, after: String)

    /// The template that a layer without one of its own is read by.
    static let defaultTemplate = "fonts/{fontstack}/{range}.pbf"

    /// Lists the glyph files that `template` leads to. Nil if it does not name stack and range, in this order.
    init?(_ files: [LayerSourceFile], template: String) {
        let parts = template.split(separator: "{fontstack}", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1] == "/{range}.pbf" else { return nil }
        self.template = (String(parts[0]), String(parts[1]))
        for file in files {
            guard let (stack, name) = split(file.path) else { continue }
            let isLatin = GlyphRange(fileName: name)?.first == 0
            hasLatin[Array(stack.utf8), default: false] = hasLatin[Array(stack.utf8), default: false] || isLatin
        }
    }

    /// The stack's and the file's name of a glyph file; nil for other files.
    private func split(_ path: String) -> (stack: Substring, name: Substring)? {
        guard path.hasPrefix(template.before), path.hasSuffix(".pbf") else { return nil }
        let parts = path.dropFirst(template.before.count).split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    /// How a stack is served: by a directory of its name, by one for each font of it, or not.
    enum Service: Equatable {
        case whole
        /// A renderer asks for `A,B`, so a client must put single fonts in the stack's place.
        case fontByFont
        /// The directories that are there but have no 0-255.
        case withoutLatin([String])
        /// The directories that are not there.
        case missing([String])
    }

    func service(of fonts: [String]) -> Service {
        let whole = fonts.joined(separator: ",")
        if let isLatin = hasLatin[Array(whole.utf8)] { return isLatin ? .whole : .withoutLatin([whole]) }
        guard fonts.count > 1 else { return .missing([whole]) }
        let missing = fonts.filter { hasLatin[Array($0.utf8)] == nil }
        if !missing.isEmpty { return .missing(missing) }
        let poor = fonts.filter { hasLatin[Array($0.utf8)] == false }
        return poor.isEmpty ? .fontByFont : .withoutLatin(poor)
    }

    /// Checks that each glyph file is the range that its name says.
    static func faults(
        in files: [LayerSourceFile], of source: any LayerSource, _ context: WorkContext
    ) throws(SnpackError) -> FaultList {
        let glyphFiles = files.filter { $0.path.hasSuffix(".pbf") }
        let outcomes = parallelMap(glyphFiles, jobs: context.jobs) { file -> Result<Void, SnpackError> in
            Result { () throws(SnpackError) in
                try context.cancel.check()
                try check(file, of: source)
            }
        }
        var faults = FaultList()
        for outcome in outcomes {
            do throws(SnpackError) { try outcome.get() } catch {
                guard error.code.exitStatus == .verification else { throw error }
                faults.add(error)
            }
        }
        return faults
    }

    private static func check(_ file: LayerSourceFile, of source: any LayerSource) throws(SnpackError) {
        let path = source.shownPath(of: file)
        guard let range = GlyphRange(fileName: file.path.split(separator: "/").last ?? "") else {
            throw SnpackError(
                .styleGlyphName, "its name is no range of 256 characters that begins on a multiple of 256",
                hint: "glyph files are 0-255.pbf, 256-511.pbf and so on", path: path)
        }
        guard file.byteCount <= UInt64(GlyphRange.byteLimit) else {
            throw SnpackError(
                .styleGlyphMalformed, "\(file.byteCount) bytes are too many for 256 characters", path: path)
        }
        let bytes = try source.open(file).allBytes(limit: GlyphRange.byteLimit)
        do throws(SnpackError) { try range.check(bytes) } catch { throw error.at(path) }
    }
}

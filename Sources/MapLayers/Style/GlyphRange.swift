package import Diagnostics

/// A file of glyphs, `512-767.pbf`: 256 characters of a font, drawn for the renderer.
package struct GlyphRange: Hashable, Sendable {
    package static let byteLimit = 8 << 20

    package let first: UInt32
    package var last: UInt32 { first + 255 }

    /// Nil unless `name` is `<first>-<first + 255>.pbf` with `first` a multiple of 256.
    package init?(fileName name: some StringProtocol) {
        guard name.hasSuffix(".pbf") else { return nil }
        self.init(text: String(name.dropLast(4)))
    }

    private init?(text: String) {
        let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
        guard numbers.count == 2, let first = numbers[0], let last = numbers[1], first.isMultiple(of: 256),
            last == first + 255
        else { return nil }
        self.first = first
    }

    /// Decimal without leading zeros, no more than Unicode has.
    private static func number(_ text: Substring) -> UInt32? {
        guard (1...7).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            text.utf8.first != 0x30 || text.utf8.count == 1, let number = UInt32(text), number <= 0x10_FFFF
        else { return nil }
        return number
    }

    /// Checks a file's content: a protobuf message of font stacks, whose range and glyphs are those of the name.
    package func check(_ bytes: [UInt8]) throws(SnpackError) {
        let rangeFault: String?
        do throws(MalformedProtobuf) {
            let outcome: Result<String?, MalformedProtobuf> = bytes.withUnsafeBytes { buffer in
                Result { () throws(MalformedProtobuf) in try faultOfStacks(buffer) }
            }
            rangeFault = try outcome.get()
        } catch {
            throw SnpackError(
                .styleGlyphMalformed, "it is no file of glyphs: \(error.reason)", hint: "make the glyphs again")
        }
        if let rangeFault {
            throw SnpackError(.styleGlyphRange, rangeFault, hint: "the file was renamed: make the glyphs again")
        }
    }

    // What does not belong to this range, nil if all does.

    private func faultOfStacks(_ bytes: UnsafeRawBufferPointer) throws(MalformedProtobuf) -> String? {
        var fields = ProtobufFields(bytes)
        var isEmpty = true
        var fault: String?
        while let field = try fields.next() {
            guard field.number == 1 else { continue }
            isEmpty = false
            let found = try faultOfStack(try field.message())
            fault = fault ?? found
        }
        if isEmpty { throw MalformedProtobuf("it holds no font stack") }
        return fault
    }

    private func faultOfStack(_ bytes: UnsafeRawBufferPointer) throws(MalformedProtobuf) -> String? {
        var fields = ProtobufFields(bytes)
        var (hasName, hasRange) = (false, false)
        var fault: String?
        while let field = try fields.next() {
            switch field.number {
            case 1:
                hasName = String(validating: try field.message(), as: UTF8.self)?.isEmpty == false
            case 2:
                hasRange = true
                let text = String(decoding: try field.message(), as: UTF8.self)
                if GlyphRange(text: text) != self {
                    fault = fault ?? "it holds the range \(quoted(text)), not \(first)-\(last)"
                }
            case 3:
                let id = try idOfGlyph(try field.message())
                if id < UInt64(first) || id > UInt64(last) {
                    fault = fault ?? "it holds a glyph for character \(id), outside \(first)-\(last)"
                }
            default: break
            }
        }
        guard hasName, hasRange else { throw MalformedProtobuf("a font stack has no name or no range") }
        return fault
    }

    private func idOfGlyph(_ bytes: UnsafeRawBufferPointer) throws(MalformedProtobuf) -> UInt64 {
        var fields = ProtobufFields(bytes)
        var id: UInt64?
        var (bitmap, width, height) = (0, UInt64(0), UInt64(0))
        while let field = try fields.next() {
            switch field.number {
            case 1: id = try field.integer()
            case 2: bitmap = try field.message().count
            case 3: width = try field.integer()
            case 4: height = try field.integer()
            case 5...7: _ = try field.integer()
            default: break
            }
        }
        guard let id else { throw MalformedProtobuf("a glyph has no id") }
        guard width < 256, height < 256 else { throw MalformedProtobuf("glyph \(id) has \(width) by \(height) pixels") }
        // The picture has a border of 3 pixels on each side.
        guard bitmap == 0 || UInt64(bitmap) == (width + 6) * (height + 6) else {
            throw MalformedProtobuf("glyph \(id) of \(width) by \(height) pixels has a picture of \(bitmap) bytes")
        }
        return id
    }
}

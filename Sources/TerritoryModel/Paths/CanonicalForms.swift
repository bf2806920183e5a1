import CUtf8proc
import Glibc

// The one place that asks for Unicode normal forms; the standard library has no public way to them.

extension String {
    /// The text in Normalization Form C.
    package var nfc: String { mapped(UTF8PROC_COMPOSE) }
    /// The text in Normalization Form D.
    package var nfd: String { mapped(UTF8PROC_DECOMPOSE) }

    private func mapped(_ form: utf8proc_option_t) -> String {
        var text = self
        return text.withUTF8 { bytes in
            var result: UnsafeMutablePointer<UInt8>?
            let options = utf8proc_option_t(UTF8PROC_STABLE.rawValue | form.rawValue)
            let count = utf8proc_map(bytes.baseAddress, bytes.count, &result, options)
            defer { free(result) }
            // Of valid UTF-8 only a lack of memory can come between.
            guard count >= 0, let result else { return String(decoding: bytes, as: UTF8.self) }
            return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
        }
    }

    /// True if the text is in Normalization Form C.
    var isNFC: Bool {
        // Below U+0300 nothing combines, so only texts with something above are compared with their composed form.
        utf8.allSatisfy { $0 < 0xCC } || utf8.elementsEqual(nfc.utf8)
    }

    /// What file systems may take for the same name: NFC of (for each scalar of the NFD form: its default uppercase
    /// mapping, and of each resulting scalar the default lowercase mapping). Independent of the locale.
    var folded: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return asciiLowercased }
        var result = ""
        for scalar in nfd.unicodeScalars {
            for upper in scalar.properties.uppercaseMapping.unicodeScalars {
                result += upper.properties.lowercaseMapping
            }
        }
        return result.nfc
    }
}

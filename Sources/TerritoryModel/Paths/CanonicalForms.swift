import Foundation

// The one place that asks for Unicode normal forms; the standard library has no public way to them.

extension String {
    /// True if the text is in Normalization Form C.
    var isNFC: Bool {
        // Below U+0300 nothing combines, so only texts with something above are compared with their composed form.
        utf8.allSatisfy { $0 < 0xCC } || utf8.elementsEqual(precomposedStringWithCanonicalMapping.utf8)
    }

    /// What file systems may take for the same name: NFC of (for each scalar of the NFD form: its default uppercase
    /// mapping, and of each resulting scalar the default lowercase mapping). Independent of the locale.
    var folded: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return asciiLowercased }
        var result = ""
        for scalar in decomposedStringWithCanonicalMapping.unicodeScalars {
            for upper in scalar.properties.uppercaseMapping.unicodeScalars {
                result += upper.properties.lowercaseMapping
            }
        }
        return result.precomposedStringWithCanonicalMapping
    }
}

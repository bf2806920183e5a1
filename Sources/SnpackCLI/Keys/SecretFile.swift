import Diagnostics
import DurableFiles
import Signing

extension OpenFile {
    /// The whole file in memory that is wiped when it is dropped.
    func secretBytes(limit: Int) throws(SnpackError) -> SecretBytes {
        guard let count = Int(exactly: byteCount), count <= limit else {
            throw SnpackError(
                .fileTooLarge, "\(byteCount) bytes are too many for a key's file", hint: "give the file of one key",
                path: name)
        }
        return try SecretBytes(count: count) { buffer throws(SnpackError) in
            try read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
        }
    }
}

extension Directory {
    /// Begins a file of secrets: its mode is the owner's alone from the first byte.
    func stage(_ secret: SecretBytes, mode: UInt32 = KeyFilePermissions.secretMode) throws(SnpackError) -> StagedFile {
        let file = try StagedFile(in: self, mode: mode)
        try secret.withBytes { bytes throws(SnpackError) in try file.write(UnsafeRawBufferPointer(bytes)) }
        return file
    }
}

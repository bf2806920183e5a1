package import Diagnostics
package import DurableFiles
package import Signing

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
    /// - Throws: `key-file.exposed` where the file system keeps no permissions, as on cards and sticks.
    package func stage(_ secret: SecretBytes, mode: UInt32 = KeyFilePermissions.secretMode) throws(SnpackError)
        -> StagedFile
    {
        let file = try StagedFile(in: self, mode: mode)
        guard try file.reader().identity.mode & 0o077 == 0 else {
            throw SnpackError(
                .keyFileExposed, "this file system would let others read a secret key",
                hint: "keep keys on one that has owners and permissions", path: path)
        }
        try secret.withBytes { bytes throws(SnpackError) in try file.write(UnsafeRawBufferPointer(bytes)) }
        return file
    }
}

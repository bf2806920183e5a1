/// Every limit of the wire format, in one place.
///
/// Readers refuse what lies past one, and writers refuse to write it.
public enum Limits {
    /// The greatest byte count and the greatest JSON integer: 2^53 − 1.
    public static let byteCount: UInt64 = 9_007_199_254_740_991
    /// Bytes of an index.
    public static let indexBytes = 16 << 20
    /// Bytes of a manifest.
    public static let manifestBytes = 4 << 20
    /// Levels of nesting in a document; the outermost object is the first.
    public static let jsonDepth = 32
    /// Bytes of one JSON number. Every finite double fits in plain decimal.
    public static let jsonNumberBytes = 1_024

    /// Characters of a territory id, and of a channel name.
    public static let idCharacters = 64
    /// Characters of a version.
    public static let versionCharacters = 64
    /// Characters of a layer kind, and of an engine name.
    public static let kindCharacters = 32

    /// Bytes of one segment of a path.
    public static let segmentBytes = 200
    /// Bytes of a file's path within its layer.
    public static let pathBytes = 512
    /// Segments of a file's path within its layer.
    public static let pathSegments = 32

    /// Unicode scalars of a display name.
    public static let displayName = 1...200
    /// Unicode scalars of one attribution.
    public static let attribution = 1...500
    /// Unicode scalars of the reason why a version was withdrawn.
    public static let yankReason = 1...500
    /// Unicode scalars of one text of a manifest's provenance.
    public static let provenanceText = 0...1_000

    /// Attributions of a manifest.
    public static let attributions = 1...32
    /// Texts of a manifest's provenance.
    public static let provenanceTexts = 0...64
    /// Layers of a manifest.
    public static let layers = 1...64
    /// Files of a layer.
    public static let files: ClosedRange<UInt64> = 1...1_000_000
    /// Patches of a layer.
    public static let patches = 0...16
    /// Engines that one layer requires.
    public static let layerEngines = 1...16
    /// Bytes of a layer's `meta`, written as a document of its own.
    public static let metaBytes = 64 << 10

    /// Bytes that tar adds: this much for each file at least,
    public static let tarBytesPerFileAtLeast: UInt64 = 512
    /// this much for each file at most (two headers, records and padding),
    public static let tarBytesPerFileAtMost: UInt64 = 3_583
    /// and this much at the end.
    public static let tarEndBytes: UInt64 = 1_024
    /// Bytes of a chunk before compression, at most.
    public static let chunkBytes: UInt64 = 1_049_600
    /// Bytes of a chunk's frame, at most.
    public static let chunkFrameBytes: UInt64 = 1_053_700
    /// Bytes of a chunk table's head; each chunk adds ``chunkEntryBytes``.
    public static let chunkTableHeadBytes: UInt64 = 24
    /// Bytes of one chunk's entry in the chunk table.
    public static let chunkEntryBytes: UInt64 = 72
    /// The stretch of a tar stream that makes a chunk: 1 MiB.
    public static let chunkTargetBytes: UInt64 = 1 << 20

    /// Steps of a patch.
    public static let patchSteps: ClosedRange<UInt64> = 1...262_144
    /// Bytes of a patch's step frame without its steps; each step adds ``patchStepBytes``.
    public static let patchTableHeadBytes: UInt64 = 24
    /// Bytes of one step in a patch's step frame.
    public static let patchStepBytes: UInt64 = 28
    /// Bytes of one step's frame, at most.
    public static let patchFrameBytes: UInt64 = 8_421_376
    /// Bytes that one frame of a patch makes, at most: 8 MiB.
    public static let patchNewBytes: UInt64 = 8 << 20
    /// Bytes of the older stream that one frame of a patch refers to: 1 byte to 32 MiB.
    public static let patchOldBytes: ClosedRange<UInt64> = 1...(32 << 20)
    /// The largest window that a frame of a patch may ask for: 64 MiB.
    public static let patchWindowBytes: UInt64 = 64 << 20

    /// The greatest sequence of an index: 2^52.
    public static let sequence: ClosedRange<UInt64> = 1...(1 << 52)
    /// Territories of an index.
    public static let territories = 0...10_000
    /// Versions of a territory in an index.
    public static let versions = 1...1_000
    /// Engines that a version requires: those of all its layers together.
    public static let versionEngines = 1...(64 * 16)

    /// Points of a region's area.
    public static let areaPoints = 100_000
    /// Metres around a region's area.
    public static let bufferMeters: ClosedRange<UInt64> = 1...100_000

    /// How many chunks the blob of a tar stream of `tarBytes` bytes may have: 1 to 2 · ⌈`tarBytes` / 2^20⌉ + 1.
    public static func chunks(tarBytes: UInt64) -> ClosedRange<UInt64> {
        let (quotient, remainder) = tarBytes.quotientAndRemainder(dividingBy: chunkTargetBytes)
        return 1...(2 * (quotient + (remainder == 0 ? 0 : 1)) + 1)
    }
}

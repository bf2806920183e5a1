import Blobs
import Synchronization

/// The blobs of regions that one batch has finished: what others of it hold alike is linked, not packed again.
final class BatchBlobs: Sendable {
    private struct Key: Hashable {
        let content: LayerContent
        let form: BlobForm
    }

    private let blobs = Mutex<[Key: RememberedBlob]>([:])

    func blob(of content: LayerContent, _ form: BlobForm) -> RememberedBlob? {
        blobs.withLock { $0[Key(content: content, form: form)] }
    }

    func remember(_ blob: RememberedBlob, of content: LayerContent, _ form: BlobForm) {
        blobs.withLock { $0[Key(content: content, form: form)] = blob }
    }
}

/// The kinds of files in a channel that servers are to treat differently.
package enum ChannelFileKind: String, Hashable, Sendable {
    /// `index.signed` and the pair: they change with every publishing.
    case index
    /// A manifest or its signature: never changes while it is listed.
    case manifest
    /// A blob or patch: its name is its content's.
    case blob

    /// By the file's path in the channel.
    package init(ofPath path: String) {
        self =
            if !path.utf8.contains(UInt8(ascii: "/")) {
                .index
            } else if path.hasSuffix("/manifest.json") || path.hasSuffix("/manifest.json.sig") {
                .manifest
            } else {
                .blob
            }
    }
}

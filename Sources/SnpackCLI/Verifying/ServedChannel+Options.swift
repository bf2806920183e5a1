import Arguments
import Diagnostics
import DurableFiles
import ServedChannels
import TerritoryModel
import TerritoryPackage
import Transfer

extension ServedChannel {
    /// The channel at a URL whose files lie as they do in a directory.
    convenience init(_ text: String, cancel: CancelToken) throws(SnpackError) {
        self.init(try ChannelURL(parsing: text), client: HTTPClient(version: SnpackVersion.number), cancel: cancel)
    }

    /// The channel at `URL`, or with `--gateway` at `URL` or `URL#REGION`.
    convenience init(_ text: String, _ arguments: ParsedArguments, cancel: CancelToken) throws(SnpackError) {
        let reference = try SourceReference(parsing: text)
        guard case .url(let url) = reference.place else {
            throw SnpackError(.urlInvalid, "\(quoted(text)) is not an http or https URL")
        }
        let isGateway = arguments.flag("gateway")
        if let territory = reference.territory, !isGateway || !territory.isRegion || reference.version != nil {
            throw SnpackError(
                .urlInvalid, "verify looks at whole channels, and \(quoted(text)) picks from one",
                hint: "leave out what begins at #; only a region behind --gateway is named so", path: url)
        }
        let layout: ChannelURL.Layout =
            if let region = reference.territory { .regionGateway(territoryID: region.rawValue) } else {
                isGateway ? .gateway : .files
            }
        let address = try ChannelURL(parsing: url, layout: layout)
        let token = try arguments.value("api-key-file").map { path throws(SnpackError) in
            try BearerToken(decoding: OpenFile(reading: path).allBytes(limit: 8_192), for: address.base.origin)
        }
        self.init(address, client: HTTPClient(version: SnpackVersion.number, token: token), cancel: cancel)
    }
}

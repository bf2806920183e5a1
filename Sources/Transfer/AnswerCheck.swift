import Diagnostics

/// Judges the head of a 200 or 206 against what was asked, before a byte of the body is taken.
enum AnswerCheck {
    /// The response with its ``HTTPResponse/part`` set; throws if it cannot be an answer to `request`.
    static func checked(_ response: HTTPResponse, for request: HTTPRequest) throws(SnpackError) -> HTTPResponse {
        try checkHeaders(response)
        if response.status == 206 { return try checkedPart(response, for: request) }
        if !response.values("content-range").isEmpty, response.contentRange?.isWhole != true {
            throw fault(.transferRangeContradicted, "200, the whole file, but with a Content-Range of a part", response)
        }
        // An encoded body has another length; what comes out of it is counted instead.
        guard response.contentCodings.isEmpty, let length = response.contentLength else { return response }
        if let exact = request.size.exact, length != exact {
            throw fault(.transferLengthDiffers, "\(length) bytes where the file has \(exact)", response)
        }
        if length > request.size.limit {
            throw fault(.transferTooLarge, "\(length) bytes where \(request.size.limit) are the most", response)
        }
        return response
    }

    private static func checkHeaders(_ response: HTTPResponse) throws(SnpackError) {
        for name in ["content-length", "content-range"] {
            let values = response.values(name)
            let isSound = name == "content-length" ? response.contentLength != nil : response.contentRange != nil
            guard values.isEmpty || isSound || (name == "content-range" && response.status == 206) else {
                throw fault(
                    .transferAnswerMalformed, "a \(name) of \(quoted(values.joined(separator: ", ")))", response)
            }
        }
        // A whole file that came through gzip is still that file; a range of gzip's output is not a range of the file.
        let codings = response.contentCodings
        guard codings.isEmpty || (response.status == 200 && codings.allSatisfy { $0 == "gzip" || $0 == "x-gzip" })
        else {
            throw fault(
                .transferEncoded, "a body encoded as \(quoted(codings.joined(separator: ", ")))", response,
                hint: "turn compression off for this path on the server")
        }
        let transfer = response.values("transfer-encoding").flatMap { $0.lowercased().split(separator: ",") }
        guard transfer.allSatisfy({ ["chunked", "identity"].contains($0.trimmingSpaces) }) else {
            throw fault(.transferEncoded, "a transfer encoding other than chunked", response)
        }
    }

    private static func checkedPart(
        _ response: HTTPResponse, for request: HTTPRequest
    ) throws(SnpackError) -> HTTPResponse {
        guard let asked = request.range else {
            throw fault(.transferRangeUnasked, "206, a part, where the whole was asked for", response)
        }
        if response.contentType?.lowercased().hasPrefix("multipart/") == true {
            throw fault(.transferRangeMultipart, "a multipart body where one range was asked for", response)
        }
        guard let part = response.contentRange else {
            let text = response.values("content-range").joined(separator: ", ")
            throw fault(.transferAnswerMalformed, "206 with a Content-Range of \(quoted(text))", response)
        }
        if let total = part.total, total > request.size.limit || total != request.size.exact ?? total {
            throw fault(
                .transferContentChanged, "a part of \(total) bytes where the file has \(request.size.limit)", response,
                hint: "the file on the server is another one by now; run the command again")
        }
        if let tag = request.ifRange, tag.isStrong, let now = response.entityTag, now != tag {
            throw fault(
                .transferContentChanged, "a part of another file than before: its ETag has changed", response,
                hint: "run the command again")
        }
        guard part.bytes.lowerBound == asked.lowerBound, part.bytes.upperBound <= asked.upperBound else {
            throw fault(
                .transferRangeShifted, "bytes \(text(part.bytes)) where \(text(asked)) were asked for", response)
        }
        guard part.bytes.upperBound == asked.upperBound || part.bytes.upperBound == part.total else {
            throw fault(
                .transferRangeShort, "bytes \(text(part.bytes)) where \(text(asked)) were asked for", response)
        }
        if let length = response.contentLength, length != part.byteCount {
            throw fault(
                .transferAnswerMalformed, "\(length) bytes for a range of \(part.byteCount)", response)
        }
        var checked = response
        checked.part = part
        return checked
    }

    private static func text(_ range: Range<UInt64>) -> String { "\(range.lowerBound) to \(range.upperBound - 1)" }

    private static func fault(
        _ code: ErrorCode, _ what: String, _ response: HTTPResponse, hint: String? = nil
    ) -> SnpackError {
        let page = response.isHTML ? ", an HTML page" : ""
        return SnpackError(
            code, "the server answered with \(what)\(page)", hint: hint ?? "tell who runs the server, or use a mirror",
            path: response.url.description)
    }
}

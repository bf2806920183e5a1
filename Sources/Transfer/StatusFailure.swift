import Diagnostics

/// Turns a status that is no success into an error, each its own.
enum StatusFailure {
    /// How much of an error's body is read.
    static let bodyLimit = 16 << 10

    static func error(_ response: HTTPResponse, body: [UInt8], hasToken: Bool) -> SnpackError {
        let path = response.url.description
        let status = response.status
        func fault(_ code: ErrorCode, _ message: String, _ hint: String?) -> SnpackError {
            SnpackError(code, message + (note(body).map { ": \($0)" } ?? ""), hint: hint, path: path)
        }
        switch status {
        case 401:
            return fault(
                .transferUnauthorized,
                hasToken ? "the server does not accept the API key (401)" : "the server asks for an API key (401)",
                hasToken ? "check the key in the file that --api-key-file names" : "give one with --api-key-file")
        case 402:
            return fault(
                .transferAllowanceUsedUp, "the download allowance is used up (402)",
                "wait for the next period, or raise the allowance with the provider")
        case 403:
            return fault(.transferForbidden, "the server refuses access (403)", "check the address and the API key")
        case 404, 410:
            return fault(
                .transferNotFound, "the server has no such file (\(status))", "check the address, and --gateway")
        case 416:
            return fault(
                .transferRangeUnsatisfiable, "the server has no such range of the file (416)",
                "the file on the server is shorter than the signed size; use another source")
        case 429:
            return fault(
                .transferTooManyRequests, "the server asks for fewer requests (429)" + pause(response),
                "try again later")
        case 500...599:
            return fault(
                .transferServerFailed, "the server failed (\(status))" + pause(response), "try again later")
        default:
            return fault(
                .transferStatusUnexpected, "the server answered with status \(status)", "check the address")
        }
    }

    private static func pause(_ response: HTTPResponse) -> String {
        response.retryAfter.map { "; it asks to wait \($0.components.seconds) s" } ?? ""
    }

    /// What an error's body says: `code` and `message` of a JSON body, or that it is a page.
    private static func note(_ body: [UInt8]) -> String? {
        if looksLikeHTML(body) { return "it sent an HTML page" }
        let parts = ["code", "message"].compactMap { member($0, in: body) }.map(quoted)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// The text of the first `"name": "…"`. Lenient on purpose: it is shown to a person and decides nothing.
    private static func member(_ name: String, in body: [UInt8]) -> String? {
        guard let key = body.firstRange(of: Array("\"\(name)\"".utf8)) else { return nil }
        var rest = body[key.upperBound...].drop { $0 == 0x20 || (0x09...0x0D).contains($0) || $0 == UInt8(ascii: ":") }
        guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
        var text: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\""), text.count < 800 {
            let isEscape = byte == UInt8(ascii: "\\")
            text.append(isEscape ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

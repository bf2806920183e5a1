import CCurl
import Diagnostics

/// Turns libcurl's return codes into errors.
enum CurlFailure {
    /// `CURLE_TOO_LARGE` of later versions of libcurl.
    private static let tooLarge = CURLcode(rawValue: 100)

    /// - Parameter isInHead: the answer's head has not come to its end.
    static func error(_ code: CURLcode, _ text: String, isInHead: Bool, url: HTTPURL) -> SnpackError {
        let reason = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
        func fault(_ code: ErrorCode, _ message: String, _ hint: String?) -> SnpackError {
            SnpackError(code, "\(message): \(HTTPURL.shown(reason))", hint: hint, path: url.description)
        }
        switch code {
        // What libcurl calls a line of more than it holds.
        case CURLE_OUT_OF_MEMORY where isInHead, tooLarge where isInHead: return ResponseHead.tooLarge(url)
        case CURLE_COULDNT_RESOLVE_HOST:
            return fault(.transferHostUnknown, "no such host", "check the address and the network")
        case CURLE_COULDNT_CONNECT:
            return fault(.transferConnectFailed, "the server cannot be reached", "check the address and the network")
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY:
            return fault(.transferProxyFailed, "the proxy does not serve", "check http_proxy and https_proxy")
        case CURLE_OPERATION_TIMEDOUT:
            return fault(.transferTimedOut, "the server does not answer", "try again later, or use a mirror")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CERTPROBLEM:
            return fault(
                .transferCertificateRefused, "the server's certificate does not verify",
                "check the address, the clock, and that ca-certificates is installed")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED:
            return fault(.transferTLSFailed, "no secure connection", "try again later, or use a mirror")
        case CURLE_PARTIAL_FILE:
            return fault(.transferBodyShort, "the body ends before its end", "run the command again: it goes on there")
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            return fault(.transferConnectionLost, "the connection broke", "run the command again: it goes on there")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            return fault(
                .transferAnswerMalformed, "the server's answer is not sound HTTP", "is it a web server at all?")
        default:
            return fault(.transferFailed, "the transfer failed", nil)
        }
    }
}

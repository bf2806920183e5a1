import CCurl
import CCurlShim
import Diagnostics

/// Owns one libcurl easy handle and with it the connections that it keeps alive.
///
/// Unchecked: a handle may move between threads but serves one at a time, which ``HTTPClient``'s pool sees to.
final class CurlHandle: @unchecked Sendable {
    /// What libcurl is told about one call.
    struct Call {
        var isHead: Bool
        var headerLines: [String]
        var userAgent: String
        var connectTimeout: Duration
    }

    /// libcurl wants to be started once and before any other thread uses it; a global does both.
    private static let isReady = snpack_curl_global_init() == CURLE_OK

    private let handle: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>

    init() throws(SnpackError) {
        guard Self.isReady, let handle = curl_easy_init() else {
            throw SnpackError(.transferFailed, "libcurl does not start")
        }
        self.handle = handle
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(handle)
        errorText.deallocate()
    }

    /// Sends one request and runs `exchange` until its end. Throws what a callback threw, or what libcurl met.
    func perform(_ call: Call, _ exchange: Exchange) throws(SnpackError) {
        var list: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(list) }
        for line in call.headerLines {
            guard let longer = curl_slist_append(list, line) else {
                throw SnpackError(.transferFailed, "libcurl has no memory for a header")
            }
            list = longer
        }
        let context = Unmanaged.passRetained(exchange)
        // Forgets the list and the context, keeps connections and the names already looked up.
        defer {
            curl_easy_reset(handle)
            context.release()
        }
        errorText[0] = 0
        var code = configure(call, exchange, list, context.toOpaque())
        if code == CURLE_OK { code = snpack_curl_perform(handle) }
        if let failure = exchange.failure { throw failure }
        // Once a head has said what is wrong, it does not matter how its body ended.
        if code == CURLE_OK || exchange.needsNoBody { return }
        throw CurlFailure.error(code, String(cString: errorText), isInHead: exchange.response == nil, url: exchange.url)
    }

    private func configure(
        _ call: Call, _ exchange: Exchange, _ headers: UnsafeMutablePointer<curl_slist>?,
        _ context: UnsafeMutableRawPointer
    ) -> CURLcode {
        let milliseconds = Int(clamping: Int64(call.connectTimeout / .milliseconds(1)))
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1),
            (CURLOPT_NOPROGRESS, 0),
            (CURLOPT_NOBODY, call.isHead ? 1 : 0),
            (CURLOPT_FOLLOWLOCATION, 0),
            (CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
            (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            (CURLOPT_SSL_VERIFYPEER, 1),
            (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            // One request at a time per connection: HTTP/2 would add a layer and nothing else.
            (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            (CURLOPT_CONNECTTIMEOUT_MS, milliseconds),
            (CURLOPT_TCP_KEEPALIVE, 1),
            (CURLOPT_MAXCONNECTS, 4),
        ]
        let texts: [(CURLoption, String)] = [
            (CURLOPT_URL, exchange.url.text),
            (CURLOPT_PROTOCOLS_STR, "http,https"),
            (CURLOPT_REDIR_PROTOCOLS_STR, "http,https"),
            (CURLOPT_USERAGENT, call.userAgent),
            // Says so, and lets libcurl undo gzip where a server does not listen.
            (CURLOPT_ACCEPT_ENCODING, "identity"),
        ]
        let pointers: [(CURLoption, UnsafeMutableRawPointer)] = [
            (CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorText)),
            (CURLOPT_HEADERDATA, context), (CURLOPT_WRITEDATA, context), (CURLOPT_XFERINFODATA, context),
        ]
        // Refused while the buffer of a call that found no host is there still: one of this size.
        _ = snpack_curl_set_long(handle, CURLOPT_BUFFERSIZE, 64 << 10)
        var codes = numbers.map { snpack_curl_set_long(handle, $0, $1) }
        codes += texts.map { snpack_curl_set_string(handle, $0, $1) }
        codes += pointers.map { snpack_curl_set_pointer(handle, $0, $1) }
        codes.append(snpack_curl_set_list(handle, CURLOPT_HTTPHEADER, headers))
        codes.append(
            snpack_curl_set_data_function(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                CurlHandle.deliver(bytes, size, count, context) { $0.take(headLine: $1) }
            })
        codes.append(
            snpack_curl_set_data_function(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                CurlHandle.deliver(bytes, size, count, context) { $0.take(body: $1) }
            })
        codes.append(
            snpack_curl_set_progress_function(handle) { context, _, _, _, _ in
                guard let context else { return 1 }
                return Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue().takeBreath() ? 0 : 1
            })
        return codes.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    /// Returns the number of bytes taken; any other number than that offered stops libcurl.
    private static func deliver(
        _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?,
        _ take: (Exchange, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        let (byteCount, isOverflow) = size.multipliedReportingOverflow(by: count)
        guard !isOverflow, let context else { return 0 }
        let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
        let isTaken = take(exchange, UnsafeRawBufferPointer(start: bytes, count: byteCount))
        return isTaken ? byteCount : byteCount == 0 ? 1 : 0
    }
}

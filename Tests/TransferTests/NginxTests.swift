import Diagnostics
import Foundation
import SnpackTestSupport
import Testing
import Transfer

@Suite(.enabled(if: NginxServer.isInstalled, "needs nginx (Debian: nginx-light)"))
struct NginxTests {
    @Test func fetchesWholeAndInRanges() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let bytes = sampleBytes(300_000)
            try Data(bytes).write(to: root.appending(path: "名 a+b.tar.zst"))
            let nginx = try NginxServer(root: root)
            defer { nginx.stop() }
            let url = try ChannelURL(parsing: nginx.url("/")).url(of: "名 a+b.tar.zst")
            let client = impatientClient()
            let whole = try client.collect(HTTPRequest(url, size: .exactly(300_000)))
            #expect(whole.bytes == bytes)
            let tag = try #require(whole.heads.first?.entityTag)
            #expect(tag.isStrong && whole.heads.first?.acceptsRanges == true)

            let range = HTTPRequest(url, size: .exactly(300_000), range: 299_000..<300_000, ifRange: tag)
            #expect(try client.collect(range).bytes == Array(bytes[299_000...]))
            #expect(try client.head(url).contentLength == 300_000)

            // Another file under the same name: the tag no longer fits.
            try Data(bytes.reversed()).write(to: root.appending(path: "名 a+b.tar.zst"))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
                ofItemAtPath: root.appending(path: "名 a+b.tar.zst").path)
            let changed = error { () throws(SnpackError) in _ = try client.collect(range) }
            #expect(changed?.code == .transferRangeIgnored)

            let beyond = HTTPRequest(url, size: .exactly(300_010), range: 300_000..<300_010)
            let fault = error { () throws(SnpackError) in _ = try client.collect(beyond) }
            #expect(fault?.code == .transferRangeUnsatisfiable)
            let missing = try ChannelURL(parsing: nginx.url("/")).url(of: "index.signed")
            let absent = error { () throws(SnpackError) in _ = try client.get(missing, limit: 10) }
            #expect(absent?.code == .transferNotFound)
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "needs openssl"))
    func refusesACertificateThatNobodyKnows() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let (key, certificate) = ("\(root.path)/key.pem", "\(root.path)/certificate.pem")
            _ = try output(
                of: "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                "-nodes",
                "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate)
            let nginx = try NginxServer(
                root: root, isSecure: true, directives: "ssl_certificate \(certificate); ssl_certificate_key \(key);")
            defer { nginx.stop() }
            let url = try HTTPURL(parsing: nginx.url("/certificate.pem"))
            let fault = error { () throws(SnpackError) in _ = try impatientClient(retries: 3).get(url, limit: 10_000) }
            #expect(fault?.code == .transferCertificateRefused)
            #expect(nginx.accessLog.isEmpty)
        }
    }

    @Test func worksWithoutRangesAndWithGzip() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let text = Array(String(repeating: "{\"type\": \"channel-index\"}\n", count: 2_000).utf8)
            try Data(text).write(to: root.appending(path: "index.json"))
            let nginx = try NginxServer(root: root, directives: "max_ranges 0; gzip on; gzip_types *;")
            defer { nginx.stop() }
            let url = try ChannelURL(parsing: nginx.url()).url(of: "index.json")
            let client = impatientClient()
            let size = UInt64(text.count)
            let fetched = try client.collect(
                HTTPRequest(url, size: .exactly(size), range: 9..<size), use: .takeFromStart)
            #expect(fetched.bytes == text && fetched.heads.first?.contentCodings == [])
        }
    }
}

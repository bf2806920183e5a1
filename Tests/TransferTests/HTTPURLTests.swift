import Diagnostics
import Testing
import Transfer

@Suite struct HTTPURLTests {
    @Test(arguments: [
        ("http://example.org", "http://example.org/"),
        ("HTTPS://Example.ORG:443/Maps", "https://example.org/Maps"),
        ("https://example.org:8443/a?b=c%20d", "https://example.org:8443/a?b=c%20d"),
        ("http://[2001:DB8::1]:8080/x", "http://[2001:db8::1]:8080/x"),
        ("http://host?q", "http://host/?q"),
        ("http://host/Zürich/名", "http://host/Z%C3%BCrich/%E5%90%8D"),
    ])
    func acceptsAndNormalises(text: String, expected: String) throws {
        #expect(try HTTPURL(parsing: text).text == expected)
    }

    @Test(arguments: [
        "", "example.org", "ftp://example.org/", "file:///etc/passwd", "http:/example.org", "http://", "https:///path",
        "http://host:0/", "http://host:65536/", "http://host:8a/", "http://host:+80/", "http://ho st/",
        "http://h%61st/",
        "http://host/a b", "http://host/\r\nX: y", "http://host/%zz", "http://host/%2", "http://host/#part",
        "http://[::1/", "http://[x]/", "http://ünicode.example/", "http://host/\"", "http://host/\u{0}",
        "http://" + String(repeating: "a", count: 9_000),
    ])
    func refuses(text: String) {
        #expect(error { () throws(SnpackError) in _ = try HTTPURL(parsing: text) }?.code == .urlInvalid)
    }

    @Test func refusesCredentialsWithoutRepeatingThem() {
        let fault = error { () throws(SnpackError) in _ = try HTTPURL(parsing: "https://me:s3cret@example.org/") }
        #expect(fault?.code == .urlInvalid)
        #expect(fault?.message.contains("s3cret") == false)
    }

    @Test(arguments: [
        "ftp://me:s3cret@h/", "https://h/?s3cret#part", "https://h:0x/?s3cret", "https://h/a b?s3cret",
        "https:///?s3cret",
        "https://me:s3/cret@h/", "https://me:s3?cret@h/", "https://me:s3#cret@h/", "https://h/#s3cret",
    ])
    func refusesWithoutRepeatingSecrets(text: String) throws {
        let fault = error { () throws(SnpackError) in _ = try HTTPURL(parsing: text) }
        let message = try #require(fault).message
        #expect(!message.contains("s3") && !message.contains("cret"), "\(message)")
    }

    @Test func showsNoQueryInMessages() throws {
        let url = try HTTPURL(parsing: "https://store.example/blob?signature=abc")
        #expect(url.description == "https://store.example/blob?…")
    }
}

@Suite struct ChannelURLTests {
    private static let files = [
        ("index.signed", "/territories/index.signed", "/v1/territories/region-0123456789abcdef/index.signed"),
        ("index.json", "/territories", "/v1/territories/region-0123456789abcdef/index.json"),
        ("index.json.sig", "/territories/index.sig", "/v1/territories/region-0123456789abcdef/index.json.sig"),
        ("territories/uk/1.0.0/manifest.json", "/territories/uk/1.0.0/manifest", nil),
        ("territories/uk/1.0.0/manifest.json.sig", "/territories/uk/1.0.0/manifest.sig", nil),
        (
            "territories/uk/1.0.0/layers/00112233aabbccdd/map.pmtiles.tar.zst",
            "/territories/uk/1.0.0/layers/00112233aabbccdd/map.pmtiles.tar.zst", nil
        ),
    ]

    @Test func mapsEveryFileOfAChannel() throws {
        for base in ["https://maps.example/base", "https://maps.example/base/", "https://maps.example/base//"] {
            let plain = try ChannelURL(parsing: base)
            let gateway = try ChannelURL(parsing: base, layout: .gateway)
            let region = try ChannelURL(
                parsing: base, layout: .regionGateway(territoryID: "region-0123456789abcdef"))
            for (path, gatewayPath, regionPath) in Self.files {
                #expect(try plain.url(of: path).text == "https://maps.example/base/" + path)
                #expect(try gateway.url(of: path).text == "https://maps.example/base" + gatewayPath)
                #expect(try region.url(of: path).text == "https://maps.example/base" + (regionPath ?? "/" + path))
            }
        }
    }

    @Test func encodesEachSegmentAsUTF8() throws {
        let channel = try ChannelURL(parsing: "http://h:8080")
        let url = try channel.url(of: "territories/x/1.0.0-a/layers/0011223344556677/名 +%#?é.tar.zst")
        #expect(
            url.text
                == "http://h:8080/territories/x/1.0.0-a/layers/0011223344556677/%E5%90%8D%20%2B%25%23%3F%C3%A9.tar.zst")
    }

    @Test(arguments: ["", "/index.json", "a//b", "a/../b", "./a", "a/"])
    func refusesPathsThatCouldLeaveTheChannel(path: String) throws {
        let channel = try ChannelURL(parsing: "http://h/")
        #expect(error { () throws(SnpackError) in _ = try channel.url(of: path) }?.code == .urlInvalid)
    }

    @Test(arguments: ["http://h/a?b", "http://h/a#b", "http://h/../a", "http://h/%2E%2e/a", "http://u@h/"])
    func refusesBasesThatAreNone(text: String) {
        #expect(error { () throws(SnpackError) in _ = try ChannelURL(parsing: text) }?.code == .urlInvalid)
    }
}

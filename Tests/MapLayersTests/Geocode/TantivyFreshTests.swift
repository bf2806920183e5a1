import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import TerritoryModel
import Testing

/// An index that the PyPI package `tantivy` makes on the spot, with documents deleted again.
@Suite struct TantivyFreshTests {
    static let packages = ProcessInfo.processInfo.environment["SNPACK_PYTHON_PACKAGES"].flatMap { path in
        FileManager.default.fileExists(atPath: path + "/tantivy") ? path : nil
    }

    @Test(.enabled(if: packages != nil, "SNPACK_PYTHON_PACKAGES does not name a directory with the tantivy package"))
    func freshIndexPassesAndCountsLiveDocuments() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let python = Process()
            python.executableURL = URL(filePath: "/usr/bin/env")
            python.arguments = ["python3", "-c", Self.script, directory.path]
            python.environment = ProcessInfo.processInfo.environment.merging(
                ["PYTHONPATH": try #require(Self.packages)], uniquingKeysWith: { $1 })
            try python.run()
            python.waitUntilExit()
            try #require(python.terminationStatus == 0)

            var layer = try MemoryLayer(reading: directory)
            let facts = try GeocodeCheck.facts(of: layer)
            #expect(facts.faultLines == [])
            #expect(facts.meta["documents"] == 29)
            #expect(facts.leftOut == [".tantivy-meta.lock", ".tantivy-writer.lock"])
            #expect(facts.requires.map(\.engine) == ["tantivy"])
            let deletes = try #require(layer.files.first { $0.path.hasSuffix(".del") })
            layer[deletes.path][0] ^= 1
            #expect(try GeocodeCheck.facts(of: layer).faultCodes == ["geocode.tantivy-checksum"])
            layer.contents[deletes.path] = nil
            #expect(try GeocodeCheck.facts(of: layer).faultCodes == ["geocode.tantivy-file-missing"])
        }
    }

    private static let script = """
        import sys, tantivy
        builder = tantivy.SchemaBuilder()
        for field in ["id", "kind", "name"]:
            builder.add_text_field(field, stored=True, tokenizer_name="raw")
        for field in ["lat", "lon"]:
            builder.add_float_field(field, stored=True, indexed=True, fast=True)
        index = tantivy.Index(builder.build(), path=sys.argv[1])
        writer = index.writer(heap_size=15_000_000, num_threads=1)
        for number in range(30):
            writer.add_document(tantivy.Document(id=str(number), kind="poi", name=f"Place {number}", lat=47.0, lon=9.0))
        writer.commit()
        writer.delete_documents("id", "3")
        writer.commit()
        writer.wait_merging_threads()
        """
}

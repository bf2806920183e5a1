import Diagnostics
import TerritoryModel
import Testing

@Suite struct ScalarVectorTests {
    private func check(_ scalar: String, _ parse: (String) throws -> Void) throws {
        let vectors = try VectorFile("scalars.json")
        for text in try vectors.value(scalar, "valid", as: [String].self) {
            #expect(accepts { try parse(text) }, "\(scalar) \(text.debugDescription)")
        }
        for text in try vectors.value(scalar, "invalid", as: [String].self) {
            #expect(!accepts { try parse(text) }, "\(scalar) \(text.debugDescription)")
        }
    }

    @Test func territoryIDs() throws {
        try check("territory_id") { text in _ = try TerritoryID(parsing: text) }
    }

    @Test func versions() throws {
        try check("version") { text in _ = try TerritoryVersion(parsing: text) }
    }

    @Test func versionsAscend() throws {
        let texts = try VectorFile("scalars.json").value("version", "ascending", as: [String].self)
        let versions = try texts.map { try TerritoryVersion(parsing: $0) }
        for (index, version) in versions.enumerated() {
            #expect(versions.filter { $0 < version } == Array(versions[..<index]))
        }
    }

    @Test func layerKinds() throws {
        try check("layer_kind") { text in _ = try LayerKind(parsing: text) }
        try check("layer_kind") { text in _ = try EngineName(parsing: text) }
    }

    @Test func layerPaths() throws {
        try check("layer_path") { text in _ = try LayerPath(parsing: text) }
    }

    @Test func filePaths() throws {
        try check("file_path") { text in _ = try FilePath(parsing: text) }
        try check("file_path") { text in _ = try FilePath(decoding: Array(text.utf8)) }
    }

    @Test func setsOfPaths() throws {
        let vectors = try VectorFile("scalars.json")
        for texts in try vectors.value("folder_sets", "valid", as: [[String]].self) {
            let paths = try texts.map { try FilePath(parsing: $0) }
            #expect(accepts { try FilePathSet.check(paths) }, "\(texts)")
        }
        for texts in try vectors.value("folder_sets", "invalid", as: [[String]].self) {
            let paths = try texts.map { try FilePath(parsing: $0) }
            for order in [paths, paths.reversed()] {
                let error = try fault { try FilePathSet.check(order) }
                #expect(error.code.name == "file-path.collision", "\(texts)")
            }
        }
    }

    @Test func timestamps() throws {
        try check("timestamp") { text in _ = try Timestamp(parsing: text) }
    }

    @Test func displayNames() throws {
        try check("display_name") { text in _ = try DisplayText(parsing: text) }
    }
}

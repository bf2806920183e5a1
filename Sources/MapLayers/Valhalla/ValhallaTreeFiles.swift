import Diagnostics

/// The files of a Valhalla layer, told apart by their paths.
struct ValhallaTreeFiles {
    struct Entry: Sendable {
        let file: LayerSourceFile
        let id: ValhallaTileID
    }

    private(set) var tiles: [Entry] = []
    private(set) var temporaries: [LayerSourceFile] = []
    private(set) var archives: [LayerSourceFile] = []
    private(set) var strays: [LayerSourceFile] = []

    init(_ source: any LayerSource) {
        guard source.isTree else {
            strays = source.files
            return
        }
        tiles.reserveCapacity(source.files.count)
        for file in source.files {
            if let id = ValhallaTileID(path: file.path.utf8) {
                tiles.append(Entry(file: file, id: id))
            } else if Self.isTemporary(file.path) {
                temporaries.append(file)
            } else if file.path.hasSuffix(".tar") {
                archives.append(file)
            } else {
                strays.append(file)
            }
        }
    }

    /// What `valhalla_build_tiles` leaves in its directory until its last stage, and when it stops before.
    private static func isTemporary(_ path: String) -> Bool {
        path.hasSuffix(".bin") || path == "tile_manifest.json" || path.hasSuffix("/tile_manifest.json")
    }

    func addFaults(to facts: inout LayerFacts, of source: any LayerSource) {
        func add(_ files: [LayerSourceFile], _ code: ErrorCode, _ message: String, hint: String) {
            for file in files {
                facts.faults.add(SnpackError(code, message, hint: hint, path: source.shownPath(of: file)))
            }
        }
        if tiles.isEmpty {
            if let first = temporaries.first {
                return facts.faults.add(
                    SnpackError(
                        .valhallaOnlyTemporaries,
                        "the tree holds \(temporaries.count) of the builder's work files and not one tile",
                        hint: "the build stopped early: run valhalla_build_tiles to its end and look at its log",
                        path: source.shownPath(of: first)))
            }
            let hint =
                archives.isEmpty
                ? "give the directory that holds 0/, 1/ and 2/ (mjolnir.tile_dir)"
                : "give the tar archive itself as the layer's source"
            return facts.faults.add(
                SnpackError(
                    .valhallaNoTiles, "there is no Valhalla tile in it", hint: hint,
                    path: (archives.first ?? strays.first).map(source.shownPath(of:))))
        }
        add(
            temporaries, .valhallaTemporaryFile, "a work file of the builder lies among the tiles",
            hint: "let the build end, then remove *.bin and tile_manifest.json")
        add(
            archives, .valhallaTarBesideTree, "an archive lies beside the tile tree; the engine would take it instead",
            hint: "keep one of the two: remove the archive, or give it alone as the layer's source")
        add(
            strays, .valhallaStrayFile, "no tile can be at this path, and nothing else belongs into a tile tree",
            hint: "remove it, or rename it back: tiles are 0/003/107.gph or 2/000/789/877.gph")
    }
}

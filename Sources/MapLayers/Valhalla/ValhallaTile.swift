import Diagnostics
import DurableFiles
import TerritoryModel

/// One tile whose header was read.
struct ValhallaTile: Sendable {
    let file: LayerSourceFile
    /// What its path says it is.
    let id: ValhallaTileID
    let header: ValhallaTileHeader
    let byteCount: UInt64

    static func header(of file: any RandomAccess, path: String) throws(SnpackError) -> ValhallaTileHeader {
        let head = try file.bytes(at: 0, count: Int(min(file.byteCount, UInt64(ValhallaTileHeader.byteCount))))
        guard let header = ValhallaTileHeader(head) else {
            throw SnpackError(
                .valhallaTileShort,
                "\(head.count) bytes are no tile: the header alone has \(ValhallaTileHeader.byteCount)",
                hint: "the disk was full or the copy broke off: build or copy the tiles again", path: path)
        }
        return header
    }

    /// Holds the header against the file's size and place.
    func check(path: String, _ faults: inout FaultList) {
        if UInt64(header.tileByteCount) != byteCount {
            faults.add(
                SnpackError(
                    .valhallaTileSize, "the file has \(byteCount) bytes, its header says \(header.tileByteCount)",
                    hint: "the disk was full or the copy broke off: build or copy the tiles again", path: path))
        }
        guard header.tileID == id else {
            let told = header.tileID.map { "tile \($0.path)" } ?? "graph id \(header.graphID), which no tile has"
            return faults.add(
                SnpackError(
                    .valhallaTileID, "its header says it is \(told)",
                    hint: "the file was renamed or moved: put the tree back as the builder wrote it", path: path))
        }
        guard Double(header.baseLongitude) == id.west, Double(header.baseLatitude) == id.south else {
            return faults.add(
                SnpackError(
                    .valhallaTileBase,
                    "its header says its corner is \(header.baseLongitude), \(header.baseLatitude); "
                        + "it must be \(id.west), \(id.south)",
                    hint: "the header is damaged, or another tile's: build or copy the tiles again", path: path))
        }
    }
}

extension ValhallaCheck {
    /// What a single tile's header tells; the file's path counts as far as it is a tile's.
    static func facts(ofTile file: any RandomAccess, path: String) throws(SnpackError) -> LayerFacts {
        var facts = LayerFacts()
        let header: ValhallaTileHeader
        do throws(SnpackError) { header = try ValhallaTile.header(of: file, path: path) } catch {
            guard error.code == .valhallaTileShort else { throw error }
            facts.faults.add(error)
            return facts
        }
        let segments = path.split(separator: "/")
        let placed = [4, 3].lazy.compactMap { ValhallaTileID(path: segments.suffix($0).joined(separator: "/").utf8) }
            .first
        if let id = placed ?? header.tileID {
            let name = LayerSourceFile(path: path, byteCount: file.byteCount)
            ValhallaTile(file: name, id: id, header: header, byteCount: file.byteCount).check(path: path, &facts.faults)
            facts.meta["tile"] = .string(id.path)
            facts.coverage = ValhallaCoverage.box(of: [id])
            if let box = facts.coverage { facts.meta["box"] = box.json }
        } else {
            facts.faults.add(
                SnpackError(
                    .valhallaTileID, "its header says graph id \(header.graphID), which no tile has",
                    hint: "it is no Valhalla tile, or its header is damaged", path: path))
        }
        if let version = header.version { facts.meta["version"] = .string(version) }
        if let engine = header.engineVersion { facts.requires = [(engine: "valhalla", version: engine)] }
        facts.meta["dataset_id"] = .string(String(header.datasetID))
        facts.meta["build_id"] = .number(JSONNumber(UInt64(header.buildID)))
        facts.meta["bytes"] = .number(JSONNumber(UInt64(header.tileByteCount)))
        return facts
    }
}

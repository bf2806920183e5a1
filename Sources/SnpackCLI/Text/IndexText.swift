import Hashing
import TerritoryModel

/// A channel's index for people and for scripts.
enum IndexText {
    static func lines(_ index: ChannelIndex) -> [String] {
        let expiry = index.expiresAt.map { ", good until \($0)" } ?? ""
        var table = TextTable(["territory", "version", "data of", "on disk", "on the wire", ""])
        for territory in index.territories {
            for entry in territory.versions {
                let marks = [
                    entry.version == territory.latestVersion ? "latest" : nil,
                    entry.yanked.map { "yanked: \($0)" },
                ]
                table.add([
                    territory.id.rawValue, entry.version.rawValue, entry.dataTimestamp.description,
                    byteText(entry.totalBytes), byteText(entry.downloadBytes),
                    marks.compactMap { $0 }.joined(separator: ", "),
                ])
            }
        }
        return [
            "channel \(index.channel), sequence \(index.sequence), signed \(index.publishedAt)\(expiry)"
        ] + table.lines
    }

    static func json(_ index: ChannelIndex) -> JSONObject {
        var object = head(index)
        object["territories"] = .array(
            index.territories.map { territory in
                .object([
                    "id": .string(territory.id.rawValue), "display_name": .string(territory.displayName.rawValue),
                    "latest_version": .string(territory.latestVersion.rawValue),
                    "versions": .array(territory.versions.map { .object(json($0)) }),
                ])
            })
        return object
    }

    /// What names an index.
    static func head(_ index: ChannelIndex) -> JSONObject {
        var object: JSONObject = [
            "channel": .string(index.channel.rawValue), "sequence": .number(JSONNumber(index.sequence)),
            "published_at": .string(index.publishedAt.description),
        ]
        object["expires_at"] = index.expiresAt.map { .string($0.description) }
        return object
    }

    private static func json(_ entry: ChannelIndex.Version) -> JSONObject {
        var object: JSONObject = [
            "version": .string(entry.version.rawValue), "data_timestamp": .string(entry.dataTimestamp.description),
            "total_bytes": .number(JSONNumber(entry.totalBytes)),
            "download_bytes": .number(JSONNumber(entry.downloadBytes)),
            "manifest_blake3": .string(entry.manifestBlake3.hex),
        ]
        object["yanked"] = entry.yanked.map { .string($0.rawValue) }
        return object
    }
}

import Diagnostics
import DurableFiles
import MapLayers
import TerritoryModel

/// What a layer's checker learned, for people and for scripts.
enum LayerText {
    static func lines(_ tree: FileTree, _ facts: LayerFacts) -> [String] {
        var lines = ["  \(tree.files.count) files, \(byteText(tree.byteCount))"]
        for (key, value) in facts.meta.members where value.arrayValue == nil {
            lines.append("  \(key): \(text(value))")
        }
        for (key, value) in facts.meta.members {
            guard let elements = value.arrayValue else { continue }
            lines.append("  \(key): \(elements.map(text).joined(separator: ", "))")
        }
        if !facts.leftOut.isEmpty { lines.append("  left out when packed: \(facts.leftOut.joined(separator: ", "))") }
        for table in facts.tables {
            lines.append("  \(table.title)")
            var text = TextTable(table.columns)
            for row in table.rows { text.add(row) }
            lines += text.lines.map { "  " + $0 }
        }
        return lines
    }

    static func json(_ kind: LayerKind?, _ tree: FileTree, _ facts: LayerFacts) -> JSONObject {
        var object: JSONObject = [
            "files": .number(JSONNumber(Int64(tree.files.count))),
            "bytes": .number(JSONNumber(tree.byteCount)), "meta": .object(facts.meta),
        ]
        object["layer"] = kind.map { .string($0.rawValue) }
        object["bbox"] = facts.coverage?.json
        object["left_out"] = facts.leftOut.isEmpty ? nil : .array(facts.leftOut.map { .string($0) })
        object["tables"] = .array(
            facts.tables.map { table in
                .object([
                    "title": .string(table.title), "columns": .array(table.columns.map { .string($0) }),
                    "rows": .array(table.rows.map { .array($0.map { .string($0) }) }),
                ])
            })
        return object
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .number(let number): number.literal
        case .bool(let flag): flag ? "yes" : "no"
        case .null, .array, .object: value.kind
        }
    }
}

/// A table for people: columns padded to their widest cell, numbers to the right.
struct TextTable {
    private let header: [String]
    private var rows: [[String]] = []

    init(_ header: [String]) { self.header = header }

    mutating func add(_ row: [String]) { rows.append(row) }

    var lines: [String] {
        guard !rows.isEmpty else { return [] }
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return isNumeric(column) ? padding + cell : cell + padding
            }
            var line = "  " + cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    private func isNumeric(_ column: Int) -> Bool {
        rows.allSatisfy { $0[column].first.map { ("0"..."9").contains($0) || $0 == "-" } ?? true }
    }
}

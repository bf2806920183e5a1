import DurableFiles
package import TerritoryModel

/// Font stacks as an installed style can serve them.
///
/// A stack `A,B` is served by a directory of that name. Where there are only directories of single fonts, the renderer would
/// find nothing, so the stack becomes its first font that is there.
package struct FontStacks {
    /// The absolute path of the layer's `fonts` directory.
    private let directory: String

    package init(directory: String) { self.directory = directory }

    /// The style's layers, each with stacks that are there.
    package func served(in layers: JSONValue) -> JSONValue {
        guard let layers = layers.arrayValue else { return layers }
        return .array(
            layers.map { layer in
                guard var object = layer.objectValue, var layout = object["layout"]?.objectValue,
                    let font = layout["text-font"]
                else { return layer }
                layout["text-font"] = stack(font)
                object["layout"] = .object(layout)
                return .object(object)
            })
    }

    /// A stack, or an expression with stacks in it.
    private func stack(_ value: JSONValue) -> JSONValue {
        guard let elements = value.arrayValue else { return value }
        let names = elements.compactMap(\.stringValue)
        guard names.count == elements.count else { return .array(elements.map(stack)) }
        // ["get", "font"] names no directories and stays as it is.
        guard names.count > 1, !isThere(names.joined(separator: ",")), let first = names.first(where: isThere) else {
            return value
        }
        return [.string(first)]
    }

    private func isThere(_ stack: String) -> Bool {
        !stack.contains("/") && FileIdentity.at("\(directory)/\(stack)")?.kind == .directory
    }
}

import Foundation
import SnpackTestSupport
import TerritoryModel

/// Documents of the vectors, as bytes and as values to edit.
enum Documents {
    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: ProjectFiles.vectors.appending(path: path)))
    }

    static func value(_ path: String) throws -> JSONValue { try StrictJSON.parse(bytes(path)) }

    static let manifest = "channel-ok/territories/liechtenstein/1.1.0/manifest.json"
    static let olderManifest = "channel-ok/territories/liechtenstein/1.0.0/manifest.json"
    static let index = "channel-ok/index.json"
    static let regionManifest = "region-ok/territories/region-0bdce04100525163/1.1.0/manifest.json"
    static let regionIndex = "region-ok/index.json"
}

extension JSONValue {
    /// What stands at a key path such as `layers[2].blob.bytes`. Setting nil removes a member.
    subscript(path path: String) -> JSONValue? {
        get { self[steps: JSONValue.steps(path)] }
        set { self[steps: JSONValue.steps(path)] = newValue }
    }

    private static func steps(_ path: String) -> ArraySlice<Substring> {
        path.split { $0 == "." || $0 == "[" || $0 == "]" }[...]
    }

    private subscript(steps steps: ArraySlice<Substring>) -> JSONValue? {
        get {
            guard let step = steps.first else { return self }
            if let index = Int(step), let array = arrayValue {
                return index < array.count ? array[index][steps: steps.dropFirst()] : nil
            }
            return objectValue?[String(step)]?[steps: steps.dropFirst()]
        }
        set {
            guard let step = steps.first else {
                if let newValue { self = newValue }
                return
            }
            if let index = Int(step), var array = arrayValue {
                array[index][steps: steps.dropFirst()] = newValue
                self = .array(array)
            } else if var object = objectValue {
                if steps.count == 1 {
                    object[String(step)] = newValue
                } else {
                    object[String(step)]?[steps: steps.dropFirst()] = newValue
                }
                self = .object(object)
            }
        }
    }

    /// A number, for values that are no literals.
    static func count(_ value: UInt64) -> JSONValue { .number(JSONNumber(value)) }
    /// A text of this many scalars.
    static func text(_ count: Int) -> JSONValue { .string(String(repeating: "x", count: count)) }
}

/// The members of a JSON object, one for each key, in ascending order of the keys' UTF-8 bytes.
///
/// Keys are compared by their scalars, never by canonical equivalence as `String` does it.
public struct JSONObject: Sendable {
    /// The members, ascending by key.
    public private(set) var members: [(key: String, value: JSONValue)]

    /// An object without members.
    public init() { members = [] }

    /// An object of these members; of several with one key the last stays.
    public init(_ members: some Sequence<(key: String, value: JSONValue)>) {
        self.init()
        for member in members { self[member.key] = member.value }
    }

    /// Takes members as a document gives them; throws the key that stands there twice.
    init(unique members: consuming [(key: String, value: JSONValue)]) throws(DuplicateKey) {
        var ascending = true
        for index in members.indices.dropFirst() where !Self.precedes(members[index - 1].key, members[index].key) {
            ascending = false
            break
        }
        if !ascending {
            members.sort { Self.precedes($0.key, $1.key) }
            for index in members.indices.dropFirst() where !Self.precedes(members[index - 1].key, members[index].key) {
                throw DuplicateKey(key: members[index].key)
            }
        }
        self.members = members
    }

    /// A key that stands twice in one object.
    struct DuplicateKey: Error {
        let key: String
    }

    /// The number of members.
    public var count: Int { members.count }
    /// True if there are no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The value of a member. Setting nil removes the member.
    public subscript(key: String) -> JSONValue? {
        get {
            let index = lowerBound(key)
            return index < members.count && Self.same(members[index].key, key) ? members[index].value : nil
        }
        set {
            let index = lowerBound(key)
            let found = index < members.count && Self.same(members[index].key, key)
            switch (newValue, found) {
            case (let value?, true): members[index].value = value
            case (let value?, false): members.insert((key: key, value: value), at: index)
            case (nil, true): members.remove(at: index)
            case (nil, false): break
            }
        }
    }

    private func lowerBound(_ key: String) -> Int {
        var (low, high) = (0, members.count)
        while low < high {
            let middle = low + (high - low) / 2
            if Self.precedes(members[middle].key, key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func same(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}

extension JSONObject: Hashable {
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count
            && zip(left.members, right.members).allSatisfy { same($0.key, $1.key) && $0.value == $1.value }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(members.count)
        for member in members {
            hasher.combine(member.key)
            hasher.combine(member.value)
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.lazy.map { (key: $0.0, value: $0.1) })
    }
}

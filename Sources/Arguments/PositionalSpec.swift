/// One argument that is known by its place, as data.
package struct PositionalSpec: Sendable {
    package enum Cardinality: Sendable, Equatable {
        case one
        case optional
        case oneOrMore
        case any
    }

    /// As help shows it: `RELEASE`, `LAT,LON`. Commands read it by this name too.
    package let name: String
    package let cardinality: Cardinality
    package let form: ValueForm
    package let summary: String

    package init(
        _ name: String, _ summary: String, _ cardinality: Cardinality = .one, form: ValueForm = .path
    ) {
        self.name = name
        self.cardinality = cardinality
        self.form = form
        self.summary = summary
    }

    package var isRequired: Bool { cardinality == .one || cardinality == .oneOrMore }
    package var isVariadic: Bool { cardinality == .oneOrMore || cardinality == .any }

    /// `RELEASE...`, `[ID]`
    package var usage: String {
        switch cardinality {
        case .one: name
        case .optional: "[\(name)]"
        case .oneOrMore: "\(name)..."
        case .any: "[\(name)...]"
        }
    }
}

import Diagnostics

extension OptionRule {
    func check(_ arguments: ParsedArguments) throws(SnpackError) {
        switch self {
        case .exactlyOne(let names):
            try refuseSeveral(of: names, arguments)
            try requireOne(of: names, arguments)
        case .atLeastOne(let names):
            try requireOne(of: names, arguments)
        case .atMostOne(let names):
            try refuseSeveral(of: names, arguments)
        case .needs(let name, let others):
            guard arguments.isGiven(name), let missing = others.first(where: { !arguments.isGiven($0) }) else { return }
            throw SnpackError(
                .usageMissingOption, "--\(name) needs --\(missing)",
                hint: "\(arguments.path.invocation) --help says more")
        }
    }

    private func requireOne(of names: [String], _ arguments: ParsedArguments) throws(SnpackError) {
        if names.contains(where: arguments.isGiven) { return }
        let listed = names.map { "--" + $0 }.joined(separator: " or ")
        throw SnpackError(
            .usageMissingOption, "\(arguments.path.invocation) needs \(listed)",
            hint: "usage: \(arguments.path.synopsis)")
    }

    private func refuseSeveral(of names: [String], _ arguments: ParsedArguments) throws(SnpackError) {
        let given = names.filter(arguments.isGiven)
        guard given.count > 1 else { return }
        throw SnpackError(
            .usageConflictingOptions, "\(given.map { "--" + $0 }.joined(separator: " and ")) exclude each other",
            hint: "keep the one that is meant")
    }
}

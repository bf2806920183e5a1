/// A zsh completion function, for a file `_snpack` on `fpath` or to be sourced.
struct ZshCompletion {
    private let program: ProgramSpec

    init(_ program: ProgramSpec) {
        self.program = program
    }

    var script: String {
        let root = CommandPath(program)
        let functions = program.paths.reversed().map(function).joined(separator: "\n\n")
        return """
            #compdef \(program.name)
            # zsh completion for \(program.name); save it as _\(program.name) in a directory of $fpath

            \(functions)

            if [[ $funcstack[1] == \(name(root)) ]]; then
                \(name(root)) "$@"
            else
                compdef \(name(root)) \(program.name)
            fi

            """
    }

    private func name(_ path: CommandPath) -> String {
        "_" + ([program.name] + path.words).joined(separator: "_")
    }

    private func function(_ path: CommandPath) -> String {
        let options = path.options.map { "        " + specification($0) + " \\" }
        guard !path.subcommands.isEmpty else {
            let all = options + path.positionals.map { "        " + specification($0) + " \\" }
            return """
                \(name(path))() {
                    _arguments -s -S \\
                \(all.joined(separator: "\n"))
                        && return
                    return 1
                }
                """
        }
        let commands = path.subcommands.map { "        " + shellQuoted("\(colonsEscaped($0.name)):\($0.summary)") }
        let calls = path.subcommands.map { "            \($0.name)) \(name(path.appending($0))) && return ;;" }
        return """
            \(name(path))() {
                local curcontext="$curcontext" state line ret=1
                typeset -A opt_args
                local -a commands=(
            \(commands.joined(separator: "\n"))
                )
                _arguments -C -s -A '-*' \\
            \(options.joined(separator: "\n"))
                    '1: :->command' \\
                    '*:: :->rest' && ret=0
                case $state in
                    command) _describe -t commands command commands && ret=0 ;;
                    rest)
                        curcontext="${curcontext%:*}-$line[1]:"
                        case $line[1] in
            \(calls.joined(separator: "\n"))
                        esac ;;
                esac
                return ret
            }
            """
    }

    private func specification(_ option: OptionSpec) -> String {
        let about = "[\(bracketsEscaped(option.summary))]"
        let value = option.takesValue ? ":\(colonsEscaped(option.valueName)):\(action(option.form))" : ""
        let equals = option.takesValue ? "=" : ""
        let repeats = option.kind == .repeated ? "*" : ""
        guard let short = option.short else {
            return shellQuoted("\(repeats)\(option.dashed)\(equals)\(about)\(value)")
        }
        let exclusion = option.kind == .repeated ? "*" : "(-\(short) \(option.dashed))"
        let plus = option.takesValue ? "+" : ""
        return "\(shellQuoted(exclusion)){-\(short)\(plus),\(option.dashed)\(equals)}\(shellQuoted(about + value))"
    }

    private func specification(_ positional: PositionalSpec) -> String {
        let place = positional.isVariadic ? "*:" : positional.isRequired ? ":" : "::"
        return shellQuoted("\(place)\(colonsEscaped(positional.name)):\(action(positional.form))")
    }

    private func action(_ form: ValueForm) -> String {
        switch form {
        case .text: " "
        case .path: "_files"
        case .directory: "_files -/"
        case .choice(let choices): "(\(choices.joined(separator: " ")))"
        }
    }

    private func colonsEscaped(_ text: String) -> String { escaped(text, ":") }
    private func bracketsEscaped(_ text: String) -> String { escaped(text, "[]:") }

    private func escaped(_ text: String, _ special: String) -> String {
        var result = ""
        for character in text {
            if special.contains(character) || character == "\\" { result += "\\" }
            result.append(character)
        }
        return result
    }
}

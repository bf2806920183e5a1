/// A bash script that completes the program's words. It needs bash 4 and nothing besides.
struct BashCompletion {
    private let program: ProgramSpec
    private let paths: [CommandPath]

    init(_ program: ProgramSpec) {
        self.program = program
        paths = program.paths
    }

    var script: String {
        let function = "_" + program.name
        return """
            # bash completion for \(program.name); load it with: source <(\(program.name) completions bash)

            \(function)_fill() {
                local current=$2
                COMPREPLY=()
                case $1 in
                    words) mapfile -t COMPREPLY < <(compgen -W "$3" -- "$current") ;;
                    path) compopt -o filenames 2>/dev/null || :; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
                    directory) compopt -o filenames 2>/dev/null || :; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
                esac
            }

            \(function)() {
                local current=${COMP_WORDS[COMP_CWORD]} command= option= literal= places=0 index word
                for ((index = 1; index < COMP_CWORD; index++)); do
                    word=${COMP_WORDS[index]}
                    if [[ $option ]]; then
                        # Bash makes --name=value three words.
                        [[ $word == = ]] || option=
                        continue
                    fi
                    if [[ -z $literal && $word == -- ]]; then
                        literal=1
                    elif [[ -z $literal && $word == -[!0-9.]* ]]; then
                        case "$command $word" in
            \(valueOptionPatterns))
                                option=$word ;;
                        esac
                    else
                        case "$command $word" in
            \(commandPatterns))
                                command="$command $word" ;;
                            *) places=$((places + 1)) ;;
                        esac
                    fi
                done
                if [[ $option ]]; then
                    [[ $current == = ]] && current=
                    case "$command $option" in
            \(valueCases)
                        *) COMPREPLY=() ;;
                    esac
                    return
                fi
                if [[ -z $literal && $current == -* ]]; then
                    case $command in
            \(optionCases)
                    esac
                    return
                fi
                case "$command:$places" in
            \(wordCases)
                    *) COMPREPLY=() ;;
                esac
            }

            complete -F \(function) \(program.name)

            """
    }

    /// How the script knows a command: each of its words after a space.
    private func key(_ path: CommandPath) -> String { path.words.map { " " + $0 }.joined() }

    private func spellings(_ option: OptionSpec) -> [String] {
        [option.dashed] + (option.short.map { ["-\($0)"] } ?? [])
    }

    private func pattern(_ path: CommandPath, _ option: OptionSpec) -> String {
        spellings(option).map { "\"\(key(path)) \($0)\"" }.joined(separator: "|")
    }

    private var valueOptionPatterns: String {
        paths.flatMap { path in path.options.filter(\.takesValue).map { "                    " + pattern(path, $0) } }
            .joined(separator: "|\\\n")
    }

    private var commandPatterns: String {
        paths.dropFirst().map { "                    \"\(key($0))\"" }.joined(separator: "|\\\n")
    }

    private var valueCases: String {
        paths.flatMap { path in
            path.options.filter(\.takesValue).compactMap { option in
                fill(option.form).map { "            \(pattern(path, option))) \($0) ;;" }
            }
        }.joined(separator: "\n")
    }

    private var optionCases: String {
        paths.map { path in
            "            \"\(key(path))\") \(fill(words: path.options.map(\.dashed))) ;;"
        }.joined(separator: "\n")
    }

    private var wordCases: String {
        paths.flatMap { path -> [String] in
            if !path.subcommands.isEmpty {
                return ["            \"\(key(path)):\"*) \(fill(words: path.subcommands.map(\.name))) ;;"]
            }
            return path.positionals.enumerated().compactMap { index, positional in
                let place = positional.isVariadic ? "\"\(key(path)):\"*" : "\"\(key(path)):\(index)\""
                return fill(positional.form).map { "            \(place)) \($0) ;;" }
            }
        }.joined(separator: "\n")
    }

    private func fill(words: [String]) -> String {
        "_\(program.name)_fill words \"$current\" \(shellQuoted(words.joined(separator: " ")))"
    }

    private func fill(_ form: ValueForm) -> String? {
        switch form {
        case .text: nil
        case .path: "_\(program.name)_fill path \"$current\""
        case .directory: "_\(program.name)_fill directory \"$current\""
        case .choice(let choices): fill(words: choices)
        }
    }
}

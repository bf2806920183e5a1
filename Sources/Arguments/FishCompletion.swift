/// A fish script that completes the program's words.
struct FishCompletion {
    private let program: ProgramSpec
    private let paths: [CommandPath]

    init(_ program: ProgramSpec) {
        self.program = program
        paths = program.paths
    }

    var script: String {
        let known = paths.dropFirst().map { shellQuoted($0.words.joined(separator: " ")) }.joined(
            separator: " \\\n        ")
        return """
            # fish completion for \(program.name); load it with: \(program.name) completions fish | source

            # Prints the command that the line so far names, without its options.
            function __\(program.name)_command
                set -l known \\
                    \(known)
                set -l with_value \(valueOptions)
                set -l command
                set -l skip
                for word in (commandline -opc)[2..-1]
                    if test -n "$skip"
                        set skip
                    else if string match -q -- '-*' $word
                        contains -- $word $with_value; and set skip 1
                    else
                        set -l longer (string trim -- "$command $word")
                        contains -- $longer $known; and set command $longer
                    end
                end
                echo $command
            end

            function __\(program.name)_at
                test (__\(program.name)_command) = "$argv"
            end

            complete -c \(program.name) -f
            \(paths.flatMap(lines).joined(separator: "\n"))

            """
    }

    private var valueOptions: String {
        let options = paths.flatMap(\.options).filter(\.takesValue)
        let spelled = options.flatMap { [$0.dashed] + ($0.short.map { ["-\($0)"] } ?? []) }
        return Set(spelled).sorted().joined(separator: " ")
    }

    private func lines(_ path: CommandPath) -> [String] {
        let begin =
            "complete -c \(program.name) -n \(shellQuoted("__\(program.name)_at \(path.words.joined(separator: " "))"))"
        let commands = path.subcommands.map { "\(begin) -a \($0.name) -d \(shellQuoted($0.summary))" }
        let places = path.positionals.compactMap { argument($0.form).map { "\(begin) \($0)" } }
        let options = path.options.map { option in
            var line = "\(begin) -l \(option.name)"
            if let short = option.short { line += " -s \(short)" }
            if option.takesValue { line += " -r " + (argument(option.form) ?? "-f") }
            return line + " -d \(shellQuoted(option.summary))"
        }
        return commands + places + options
    }

    private func argument(_ form: ValueForm) -> String? {
        switch form {
        case .text: nil
        case .path: "-F"
        case .directory: "-f -a '(__fish_complete_directories)'"
        case .choice(let choices): "-f -a \(shellQuoted(choices.joined(separator: " ")))"
        }
    }
}

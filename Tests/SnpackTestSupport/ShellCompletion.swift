public import Foundation

/// What the shells themselves offer for a line that is being typed.
public enum ShellCompletion {
    /// Whether there is such a shell to ask.
    public static func isInstalled(_ shell: String) -> Bool {
        ["/bin/", "/usr/bin/", "/usr/local/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + shell) }
    }

    /// Asks bash, without the bash-completion package: what its own machinery would call, with the words as bash
    /// takes them apart.
    ///
    /// - Parameters:
    ///   - setup: bash commands that make the completion known.
    ///   - words: the line; the last one is being typed.
    public static func bash(
        _ setup: String, function: String, words: [String], in directory: URL
    ) throws -> (offers: [String], result: ToolResult) {
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        let script = """
            \(setup)
            COMP_WORDS=(\(line)); COMP_CWORD=\(words.count - 1); \(function) "${COMP_WORDS[0]}" '' ''
            ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"; true
            """
        let result = try SystemTool.run("bash", ["--norc", "-euo", "pipefail", "-c", script], in: directory)
        return (lines(result).sorted(), result)
    }

    /// Lets an interactive zsh in a pseudo-terminal of its own press Tab, and lists what comes up.
    ///
    /// - Parameter setup: zsh commands; `$directory` is where the completion lies, `compinit` is loaded for them.
    public static func zsh(
        _ setup: String, at place: URL, line: String, in directory: URL
    ) throws -> (offers: Set<String>, result: ToolResult) {
        let driver = """
            zmodload zsh/zpty
            zpty z zsh -f -i
            zpty -w z "PS1=; PS2=; stty -echo; autoload -Uz compinit; directory=${(q)1}; $3
            zstyle ':completion:*' verbose no
            compadd() { local -a found; builtin compadd -O found \\"\\$@\\"; print -rl -- 'offer '\\$^found; builtin compadd \\"\\$@\\" }
            at-end() { print -r -- 'the 'end }; zle -N at-end; bindkey '^I' complete-word; bindkey '^X' at-end; print rea''dy"
            zpty -r -m z found '*ready*' || exit 3
            zpty -w -n z "$2"$'\\t\\x18'
            zpty -r -m z found '*the end*' || exit 4
            print -rn -- $found
            zpty -d z
            """
        let result = try SystemTool.run(
            "zsh", ["-f", "-c", driver, "driver", place.path, line, setup], in: directory, seconds: 30)
        let offers = lines(result).compactMap { text in
            text.firstRange(of: "offer ").map { String(text[$0.upperBound...]).trimmingCharacters(in: .whitespaces) }
        }
        return (Set(offers), result)
    }

    /// Asks a fish whose home is `directory` what it would offer.
    ///
    /// - Parameter setup: fish commands; `$argv[1]` is where the completion lies.
    public static func fish(
        _ setup: String, at place: URL, line: String, in directory: URL, environment: [String: String?] = [:]
    ) throws -> (offers: [String], result: ToolResult) {
        let home = directory.appending(path: ".home").path
        let result = try SystemTool.run(
            "fish", ["-c", "\(setup); complete -C $argv[2]", place.path, line], in: directory,
            environment: ["HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home].merging(environment) { $1 })
        return (lines(result).map { String($0.prefix { $0 != "\t" }) }.sorted(), result)
    }

    private static func lines(_ result: ToolResult) -> [String] {
        result.standardOutput.split(whereSeparator: \.isNewline).map(String.init)
    }
}

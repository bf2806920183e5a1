/// Text as one word of a POSIX shell, of zsh or of fish: in single quotes, with those inside taken out of them.
func shellQuoted(_ text: String) -> String {
    var result = "'"
    for character in text { result += character == "'" ? "'\\''" : String(character) }
    return result + "'"
}

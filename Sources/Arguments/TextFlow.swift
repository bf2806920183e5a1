/// Breaks a paragraph into lines of at most `width` characters; a longer word keeps a line of its own.
func flow(_ paragraph: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in paragraph.split(whereSeparator: \.isWhitespace) {
        if !line.isEmpty, line.count + 1 + word.count > width {
            lines.append(line)
            line = ""
        }
        line += line.isEmpty ? String(word) : " " + word
    }
    return line.isEmpty ? lines : lines + [line]
}

/// The paragraphs of a text, which empty lines part.
func paragraphs(_ text: String) -> [String] {
    var result: [String] = []
    var paragraph: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if !line.isEmpty {
            paragraph.append(line)
        } else if !paragraph.isEmpty {
            result.append(paragraph.joined(separator: " "))
            paragraph = []
        }
    }
    return paragraph.isEmpty ? result : result + [paragraph.joined(separator: " ")]
}

/// `summary` with what the table knows beyond it: the choices, whether it repeats.
func explanation(_ option: OptionSpec) -> String {
    var text = explanation(option.summary, option.form)
    if option.kind == .repeated { text += " (repeatable)" }
    return text
}

func explanation(_ summary: String, _ form: ValueForm) -> String {
    guard case .choice(let choices) = form else { return summary }
    return "\(summary): \(choices.joined(separator: ", "))"
}

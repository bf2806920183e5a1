extension String {
    /// The name of a table or column as SQL writes it, whatever is in it.
    var asSQLName: String {
        "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

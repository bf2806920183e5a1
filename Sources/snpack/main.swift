// Filled by its first command.

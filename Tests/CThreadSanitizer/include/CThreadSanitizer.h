// Nothing to call: linked in, it tells ThreadSanitizer what it cannot see.

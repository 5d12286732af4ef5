"""Forms and schemas tried in a real editor's language server: `make editor`."""

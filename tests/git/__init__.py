"""Play in a git repository."""

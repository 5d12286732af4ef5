"""A small rulebook in a package of its own, `carters`, found by the entry point beside it, as other people's are."""

"""A small rulebook in a package of its own, `carters`, found by the entry point beside it, like other people's."""

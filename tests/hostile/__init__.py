"""Matches that somebody, or a disk, has tampered with: no command breaks, leaks, sends or writes what it may not."""

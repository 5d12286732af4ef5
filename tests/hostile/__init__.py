"""Matches that somebody, or a disk, has tampered with: no command breaks, or tells, sends, writes what it may not."""

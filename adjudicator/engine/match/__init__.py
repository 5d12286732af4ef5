"""The acts on a match, one file each: `begin`, `run`, `undo`, `showing`, `site`.

`resolving` plays one phase, and what follows from it, from files to files, without a match folder.
"""

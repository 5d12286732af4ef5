"""What is done with a match, a file each: `begin`, `run`, `undo`, `showing`, `site`.

`resolving` does one phase and what follows from it without a folder, from files to files.
"""

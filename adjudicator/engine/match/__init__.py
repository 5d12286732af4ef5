"""The acts on a match, one file each: `begin`, `run`, `undo`, `showing`, `site`.

`resolving` plays one phase, and what follows from it, from files to files, without a match folder; `sheet_checks`
checks what a player means to send, and `trying_out` plays it on a guess;
`proof` is what lets everybody check a match that is over.
"""

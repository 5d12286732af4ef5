"""A match on disk: its files, what came in, one phase adjudicated from files, and changes made whole or not at all.

`files` reads and adds files, `folder` is the whole match, `papers` is what its files say, and `commit` changes them.
`post` has what players sent, `adjudication` closes a phase, plays it from its files, or lets it wait for an answer;
`ledger` has what happened outside the rules, and `marks` what proves something of a match.
"""

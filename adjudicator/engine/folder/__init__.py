"""A match on disk: its files, what came in, one phase adjudicated from files, and changes made whole or not at all.

`files` reads and adds files, `folder` is the whole match, `papers` and `record` are what its files say, and `commit`
changes them. `post` has what players sent, `adjudication` plays a phase from its files, `waiting` is a phase that waits
for an answer, and `ledger` has what happened outside the rules.
"""

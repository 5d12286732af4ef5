"""A match on disk: its papers, what came in, one phase adjudicated from files, and changes made whole or not at all.

`folder` is the whole, `papers` and `record` its files, `commit` how they change; `post` what players have sent,
`adjudication` a phase from its files, `waiting` one that waits for an answer, `ledger` what happened outside the rules.
"""

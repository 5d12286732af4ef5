"""Looking again: whether a match, or what a player received of it, is what the rules and the seed make of it.

`verify` replays a match for its GM, with `cross_checks` between its papers and `ledger_checks`; `comparing` is a
player's check of the folders received (`received`), `unsealed` what the published seed proves, `as_handed` their words.
"""

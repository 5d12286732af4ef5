"""Checks whether a match, or what a player received of it, follows from the rules and the seed.

`verify` replays a match for its GM, with `cross_checks` between its files and `ledger_checks`. `comparing` is a
player's check of the folders received (`received`), `seed_checks` checks them against the published seed, and
`handouts` compares them with the published proof.
"""

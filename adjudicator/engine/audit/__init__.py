"""Checks whether a match, or what a player received of it, follows from the rules and the seed.

`verify` replays a match for its GM, with `cross_checks` between its files and `ledger_checks`; `old_programs` replays
what this program can't. A player's check is `comparing`, of what was `received`, and `seed_checks` against the
published seed and proof. The two ask the same of different things: the GM's copy has every file, a player has digits
made of them. What they share are the formulas, in `folder`.
"""

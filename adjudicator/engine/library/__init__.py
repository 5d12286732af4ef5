"""The available rulebooks and their texts.

`registry` finds a rulebook by its name, `rules` reads its rules by number, `words` says why something is refused and
what a field is for, `texts` keeps what is made from a game's texts in one language, `caches` what is worked out for one
match, and `first_problems` limits how many problems of a file are told.
"""

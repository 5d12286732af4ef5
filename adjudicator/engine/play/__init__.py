"""The drivers of the table: the same rule carried out, checked or listed.

`referee` plays the real game from an `inbox`, on the table in `asking`, where events happen and players decide; it also
carries out a player's orders as far as that can be known. `trying` says of each how it fared, `checking` is the
player's own check, with orders ahead, and `account` what became of each order. `listing` looks at one order and lists
all; `attempts` and `choices` find what is possible now; `left` says what a sheet leaves to do, and `beside` what is
possible beside its orders; `stops` says what is asked where, and what comes next. `position` reads positions, `view`
hides what its reader may not know, and `known` says what a reader knows beyond it.
"""

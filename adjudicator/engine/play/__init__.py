"""The drivers of the table: the same rule carried out, checked or listed.

`referee` is the game as it is really played, on `playing`, from an `inbox`; `trying` a player's orders as far as can be
known, `checking` the own check, with what is ahead; `probe` a look at one order, `listing`, `attempts` and `choices`
what is possible now; `stops` what is asked where. `position` and `handwritten` read the values that they work on,
`view` hides what its reader may not know; `chance` is where searches and bots take their chances from.
"""

"""The drivers of the table: the same rule carried out, checked, listed, or played at random.

`referee` is the game as it is really played, on `playing`, from an `inbox`; `trying` a player's orders as far as can be
known, `checking` the own check, with what is ahead; `stops` what is asked where; `probe` a look at one order, `listing`
and `choices` what is possible now, `bot` a random player. `position` and `handwritten` read the values that they work
on, `view` hides what its reader may not know; `simulation` and `statistics` play whole matches in memory.
"""

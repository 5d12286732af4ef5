"""The drivers of the table: the same rule carried out, checked, listed, or played at random.

`referee` is the game as it is really played, on `playing`, from an `inbox`; `checking` a player's own check, `probe` a
look ahead, `listing` and `choices` what is possible now, `bot` a random player. `position` and `handwritten` read the
values that they work on, `view` hides what its reader may not know; `simulation` and `statistics` play whole matches in
memory.
"""

"""The drivers of the table: the same rule carried out, checked or listed.

`referee` plays the real game from an `inbox`, on `playing`, where events happen, and `asking`, where players decide.
`own_view` carries out a player's orders as far as that can be known, `trying` says of each how it fared (`findings`),
and `checking` is the player's own check, with orders ahead. `probe` looks at one order; `listing`, `attempts` and
`choices` find what is possible now; `left` says what a sheet leaves to do, and `beside` what is possible beside its
orders; `stops` says what is asked where. `position` and `handwritten` read positions, `view` hides what its reader may
not know, and `chance` gives searches and bots their random numbers.
"""

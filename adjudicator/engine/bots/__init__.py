"""Programs that play: random players and each game's own bot, for demos, tables of results and tests.

`bot` plays legal orders at random, `planning` writes a sheet for several phases, `simulation` plays whole matches in
memory, and `statistics` adds up their results.
"""

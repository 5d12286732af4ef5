"""What players get of a phase, made from the match folder: the only wing that joins the disk with the texts.

`for_all` makes `for/<player>/` and `for/public/`, and says how a match was won; `reports` has what each reader is told,
`times` deadlines and the GM's acts, `gathering` receipts and seals, the points of each turn, and what a player knows.
"""

"""What players get of a phase, gathered from the match folder: the only wing that joins the disk with the texts.

`for_all` makes `for/<player>/` and `for/public/`, `reports` is what each reader is told, `times` deadlines and what the
GM did, `gathering` receipts and seals, `counts` the points of each turn, `ending` how a match was won.
"""

"""Play in a git repository: sealed sheets in, sealed reports out, and a job that referees.

The referee alone writes the branch `main`; each player writes a branch of their own. `repository` runs git as a
program and checks nothing out, and `objects` reads what is there; `sealed` seals and opens texts with age, `keys` says
to whom; `layout` says where each file of a match lies in `main`, `memory` knows the last state that the referee wrote,
even where a clone has forgotten, `sealing` makes a match folder of it and puts the changes back. `turn` is the
referee's job, with `box` (what players pushed) and `taking` (what becomes of it); `init`, `join` and `read` are what
people do, and `news` what a player is told.

Everything that a player pushes is hostile: `running` says how much of it is read.
"""

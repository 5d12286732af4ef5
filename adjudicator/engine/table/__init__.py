"""What rules are written with, and all that a rulebook imports of the program.

`rulebook` is a game's contents page and its phases, `table` what a rule is a function of, `domain` what a field may
hold, `event` what happens, `secret` who knows it, `dice` what falls, `reason` why not, `checks` what must be true,
`board` where, `remembered` what is asked often.
"""

"""What a GM needs around the adjudicator: when sheets are due, and what a GM does to a match besides running it.

`schedule` and `deadlines` are values and pure functions of an instant; `situation` is a match at an instant; `acts`
what a GM does to it, `amending` its position by hand, `rescheduling` its deadlines; `playing` runs it by the clock;
`league` is a table of players over many. The clock itself is read by the command line alone.
"""

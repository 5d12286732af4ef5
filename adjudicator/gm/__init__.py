"""What a GM needs around the adjudicator: when sheets are due, and what a GM does to a match besides running it.

`schedule` and `deadlines` are values and pure functions of an instant; `situation` describes a match at an instant;
`people` are who plays, `missed` who is silent, `by_mail` what waits for mail; `acts` are what a GM does to a match,
`by_players` what players do themselves, `absences`, `bank` and `regents` what happens while they are away; `changing`
changes a match's position, files, dice or rules, and `new_schedule` reads another schedule; `glance` sums many
matches up; `playing` runs it by the clock; `league` makes a table of players over many matches. Only the command line
reads the clock.
"""

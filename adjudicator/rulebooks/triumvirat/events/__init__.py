"""What happens in a match: small events, each of which changes the position or is a word to the players.

`dealt` are those of cards, `placed` those of pieces on the board, `won` those of war, of titles, and of the end.
"""

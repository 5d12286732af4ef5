"""What every game needs and no game is named in: seven wings, each standing on those before it.

text < table < sheets < play < folder < report < match
"""

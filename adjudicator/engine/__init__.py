"""What every game needs, without naming any game: wings, each standing on those before it (docs/develop.md).

text < table < library < sheets < play < ahead, bots < report < folder < handout < match < audit
"""

"""The available rulebooks and their texts.

`registry` finds a rulebook by its name, `rules` reads its rules by number, and finds those that somebody names;
`languages` reads texts in a language, what it lacks in English, and those of a group that go before ours;
`facts` tells the facts of a refusal; `texts` keeps what is made from a game's texts in one language, or worked out for
one match, says why something is refused and what a field is for, and limits how many problems of a file are told.
"""

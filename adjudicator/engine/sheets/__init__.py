"""From a file that a player sent to orders with their places, and the texts and schemas that tell how to write one.

`sheet`, `reading` and `answers` are the way in; `schema` and `published` the JSON Schemas, `validating` and `flaws`
how a sheet is held against one, `rules` and `words` a game's texts, `registry` which games there are, `reader` the
reading of one entry field by field.
"""

"""From a file that a player sent to orders with their places, and the schemas that tell how to write one.

`sheet`, `reading` and `answers` are the way in; `schema` and `published` the JSON Schemas, `validating` and `flaws`
how a sheet is held against one, `reader` the reading of one entry field by field, `limits` how much is read.
"""

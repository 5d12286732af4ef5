"""From a file that a player sent to orders with their places, and the schemas for writing one.

`sheet` is a sheet or an answer, read field by field; `reading` reads files; `schema`, with `schema_words`, and
`published` are the JSON Schemas, `flaws` checks a sheet against one, and `limits` says how much is read.
"""

"""From a file that a player sent to orders with their places, and the schemas for writing one.

`sheet` is a sheet and reads an entry field by field, `reading` and `answers` read files; `schema` and `published` are
the JSON Schemas, `flaws` checks a sheet against one, and `limits` says how much is read.
"""

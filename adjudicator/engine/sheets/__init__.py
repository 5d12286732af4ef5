"""From a file that a player sent to orders with their places, and the schemas for writing one.

`sheet`, `reading` and `answers` read files; `schema` and `published` are the JSON Schemas, `validating` and `flaws`
check a sheet against one, `reader` reads one entry field by field, and `limits` says how much is read.
"""

"""Reading and writing files as text, and what is wrong in them. The lowest wing: it knows no game and no rule.

`source` reads YAML with a mark for every value, `syntax` puts its errors in plain words, `writing` writes YAML. A
`problem` is a fault with its place, `type_problems` explains data that don't fit their type, `from_json` reads JSON,
and `resources` finds what is shipped beside the code.
"""

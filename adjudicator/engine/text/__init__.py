"""Reading and writing files as text, and what is wrong in them. The lowest wing: it knows no game and no rule.

`source` reads YAML with a mark for every value, `syntax` puts its errors in plain words, `writing` writes YAML. A
`problem` is a fault with its place, `typed` reads data and JSON into types and explains what doesn't fit, and
`resources` finds what is shipped beside the code.
"""

"""Files as text, in and out, and what is wrong in them. The lowest wing: it knows no game and no rule.

`source` reads YAML with a mark for every value, `syntax` says its errors in plain words, `writing` writes it,
`problem` is a fault with its place, `misread` one of data that aren't the value they should be, `from_json` reads JSON,
and `resources` finds what is shipped beside the code.
"""

"""What readers get: the report, the sheet to fill in, maps, charts, and the same as pages.

`told` is what one reader is told; `story` the report and `form` the sheet made of it, `map`, `chart` and
`replayed_map` the pictures, `page` and `orderpage` the pages, by `template`, `canvas`, `paths` and `hypertext`;
`for_one` is all that one reader gets of a phase, `for_all` all of them.
"""

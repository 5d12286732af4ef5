"""The texts and pages that readers get, made from values alone: this wing reads no match folder.

`reader_facts` is what one reader is told; `story` the report and `form` the sheet to fill in; `narrator` says events in
words; `map` and `chart` are the pictures; `page` and `orderpage` the pages, by `template`, `canvas`, `paths` and
`markdown_html`; `for_one` is all that one reader gets of a phase.
"""

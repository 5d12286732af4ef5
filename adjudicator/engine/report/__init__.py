"""The texts and pages that readers get, made from values alone: this wing reads no match folder.

`reader_facts` is what one reader is told; `story` makes the report and `form` the sheet to fill in; `narrator` puts
events in words; `map` and `chart` make the pictures; `orderpage` makes the page for orders, with `template`, `canvas`,
`paths` and `markdown_html`; `loader` finds templates in a language, `group_templates` lets a group's own macros in, and
`translated` says how whole that is; `reader_texts` makes everything that one reader gets of a phase, the report's page
too.
"""

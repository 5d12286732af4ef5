"""The program in a page: links that hold a view, the page that opens them, and the answers it gets from the program.

`opened` answers the page, in a browser as on any other machine; `site` writes the folder for a web server, and
`serving` serves it on this machine.
"""

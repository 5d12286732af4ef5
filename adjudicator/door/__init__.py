"""The one door of a match: whoever brings a sheet, it meets the same questions and gets the same answer.

Mail, git, the page and the commands find the bytes and know who has sent them; all else is here, and so is the face of
the program for other programs in Python (`import adjudicator`). It knows no mail, no git and no browser.
"""

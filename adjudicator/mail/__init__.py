"""Play by mail: what a sheet is in a mail, who may send it, what is answered, and the accounts that all of it goes by.

Anybody can write a mail: `limits` says how much of one is read. `intake` asks first who has sent it, by its head alone
(`sender`), and `settling` then does with the match what follows.

From a mail's bytes to a sheet: `letter` takes the message apart, `hypertext` makes HTML lines, `quoting` tells own
words from quoted ones, `mending` undoes what mail programs do to signs, `block` finds the sheet among the lines, and
`finding` decides which of all that is the sheet. None of them raises anything, whatever the mail.
"""

"""Play by mail: how a sheet is found in a mail, who may send it, how mails are answered, and the accounts.

Anybody can write a mail: `limits` says how much of it is read. `intake` first finds the sender, by the headers alone
(`sender`), and `settling` then changes the match.

From a mail's bytes to a sheet: `letter` takes the message apart, `html_lines` turns HTML into lines, `quoting` tells
the sender's words from quoted ones, `mending` undoes what mail programs do to characters, `block` finds the sheet among
the lines, and `finding` decides which of these is the sheet. None of them raises anything, whatever the mail.
"""

"""Play by mail: how a sheet is found in a mail, who may send it, how mails are answered, and the accounts.

Anybody can write a mail: `limits` says how much of it is read. `fetching` first finds the sender, by the headers alone
(`sender`), and `settling` then changes the match.

From a mail's bytes to a sheet: `letter` takes the message apart, `quoting` turns HTML into lines and tells the sender's
words from quoted ones, `block` undoes what mail programs do to characters and finds the sheet among the lines, and
`finding` decides which of these is the sheet. None of them raises anything, whatever the mail.

Beside a sheet a mail may have commands, which `commands` knows and `obeying` carries out, and messages to others
(`press`).

What goes out: `mails_to_send` says which mails are due, `parcel` and `notices` write them, `sending` hands each over
once. `standby` finds players for open seats, `digest` and `calendars` are about all matches of a person, `news` tells
other programs. `account`, `club`, which also tries an account, and `boxes` with `imap` and `smtp` are the way to the
servers.
"""

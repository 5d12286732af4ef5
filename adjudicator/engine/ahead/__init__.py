"""Orders for phases that are still to come, worked out without a disk: it needs the phases of a match, not its folder.

`orders_ahead` is what players have sent ahead, `lost_pieces` which pieces such orders can't do without, and `awaited`
whom the open phase waits for, and why. At which phases a match waits at all is `play.stops`.
"""

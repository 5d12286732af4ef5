"""Orders for phases still to come, worked out without a disk: this needs the phases of a match, not its folder.

`orders_ahead` has the orders players sent ahead, `lost_pieces` the lost pieces those orders need, and `due_sheets` whom
the open phase waits for, and why. `play.stops` says at which phases a match waits at all.
"""

"""Orders for phases still to come, worked out without a disk: this needs the phases of a match, not its folder.

`orders_ahead` has the orders players sent ahead, and the lost pieces those orders need; `due_sheets` says whom the open
phase waits for, and why. `play.stops` says at which phases a match waits at all.
"""

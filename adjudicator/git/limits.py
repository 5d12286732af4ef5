"""How much is read of what others push, and how long git may take.

Anybody who can push may push anything: large files, thousands of commits, trees that unpack to gigabytes. Of a player's
branch only its last commit is fetched, without large files, and of that commit only the files that can count.
"""

from __future__ import annotations

LARGEST_SEALED = 2**18
"""Bytes of a sealed file from a player: a sheet has at most 64 KiB, and the seal adds little."""
LARGEST_FETCHED = 2**26
"""Bytes that git may write to the disk of a player's branch, or as a list."""
LARGEST_MAIN = 2**28
"""Bytes of what is new in `main` that git may write to the disk."""
MOST_MEMORY = 2**31
"""Bytes of memory for git while it reads what others push."""
LARGEST_FILE = 2**24
"""Bytes of a file of the referee's: sealed, or as it lies in an archive."""
LARGEST_MATCH = 2**28
"""Bytes of all files of a match in `main`, and of all that is in its archives."""
MOST_FILES = 20_000
"""Files of a match in `main`, and in one archive."""
MOST_SAID = 2**24
"""Bytes of git's output, when it isn't a file's content."""
PATIENCE = 120.0
"""Seconds that git may take with another machine; a slower one is given up."""
MOST_ATTEMPTS = 8
"""How often a job begins again because another was faster."""
STEP = 4096
"""Sealed texts are filled up to a multiple of this, so that their size tells little."""
WIDE_STEP = 2 * STEP
"""What a player gets of a phase is filled up to a multiple of this, and to what the player with the most gets: so sizes
don't tell who has something to decide, and how much.
"""

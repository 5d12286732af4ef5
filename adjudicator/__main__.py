"""Where the program begins: as the command `adjudicator`, or by `python -m adjudicator`."""

import os
import sys

from adjudicator.process import collect_garbage_seldom


def main() -> None:
    """Runs the command line."""
    collect_garbage_seldom()
    # The library of the command line makes thousands of objects when it is imported.
    from adjudicator.cli import main as command_line

    command_line()


if __name__ == "__main__":
    if not sys.flags.safe_path and sys.path[0] != __file__.rsplit(os.sep, 2)[0]:
        del sys.path[
            0
        ]  # the current folder, which `python -m` puts first: a stranger's modules may lie there
    main()

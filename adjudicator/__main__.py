"""Where the program begins: as the command `adjudicator`, or by `python -m adjudicator`."""

from adjudicator.process import collect_garbage_seldom


def main() -> None:
    """Runs the command line."""
    collect_garbage_seldom()
    # The library of the command line makes thousands of objects when it is imported.
    from adjudicator.cli import main as command_line

    command_line()


if __name__ == "__main__":
    main()

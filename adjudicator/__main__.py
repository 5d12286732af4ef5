"""Where the program begins: as the command `adjudicator`, or by `python -m adjudicator`."""

from adjudicator.process import collect_garbage_seldom


def main() -> None:
    """Runs the command line."""
    collect_garbage_seldom()
    from adjudicator import (
        cli,  # imported here because its library makes thousands of objects when it is imported
    )

    cli.main()


if __name__ == "__main__":
    main()

"""`python -m adjudicator`: the same as the command `adjudicator`."""

from adjudicator.cli import main

if __name__ == "__main__":
    main()

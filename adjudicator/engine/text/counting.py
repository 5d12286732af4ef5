"""Numbers with the noun that they count."""

from __future__ import annotations


def counted(number: int | str, one: str, many: str = "") -> str:
    """A number with its noun: `1 fault`, `2 faults`; `many` is the plural, if it isn't the noun with an s."""
    return f"{number} {one if str(number) == '1' else many or plural(one)}"


def plural(one: str) -> str:
    """The plural of a noun that takes an s."""
    return f"{one}s"


class Countable(str):
    """A text that may be a number: `{most:sailor}` in a text to fill in becomes `1 sailor` or `2 sailors`, and
    `{most:entry|entries}` `1 entry` or `2 entries`.
    """

    def __format__(self, noun: str) -> str:
        one, _, many = noun.partition("|")
        return counted(str(self), one, many) if noun else str(self)


class Blank(Countable):
    """The name of a number that is filled in later: its blank stays, and has both forms of the noun,
    `{most:sailor|sailors}`.
    """

    def __format__(self, noun: str) -> str:
        one, _, many = noun.partition("|")
        return f"{{{self!s}:{one}|{many or plural(one)}}}" if noun else f"{{{self!s}}}"

"""Commands in a mail: lines of their own such as `status`, `rules MED-3` or `vote end`.

A line is a command if its first word is one and all that follows fits it; any other line is prose. A mistyped command
that only shows something is understood; of one that changes something, the answer says what was probably meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from adjudicator.door.seats import LENGTH
from adjudicator.engine.library.languages import texts_in
from adjudicator.engine.text.problem import is_a_slip_of
from adjudicator.engine.text.resources import folder

CHANGING = ("away", "resign", "vote", "address", "take", "settings")
"""The commands that change something, so that a slip isn't carried out."""
MOST_COMMANDS = 10
"""Commands of a mail that are read."""
FEW_WORDS = 3
"""With so many words behind it, or fewer, a command that doesn't fit is a slip, and not prose."""
_CODE = rf"[a-z2-7]{{{LENGTH}}}"
_REST = {
    "history": r"(?:\d{1,4})?",
    "rules": r"(?:\S+(?: \S+){0,3})?",
    "away": r"\D{0,12}\d.{3,40}",
    "resign": rf"(?:{_CODE})?",
    "settings": r".{0,60}",
    "take": _CODE,
    "vote": r"\w+",
    "address": rf"\S+@\S+(?: {_CODE})?",
}
"""What may stand behind a command; behind all others nothing may."""
_REPLY = re.compile(r"\s*\w{1,5}\s*(?:\[\d+\])?\s*[:\uff1a]", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_END = re.compile(r"(?<=[^\W\d])[!. ]+$")
_MARKS = re.compile(r"[-*\u2022]+\s+")
_PHONES = (
    "sent from|get outlook for|envoyé de|envoyé depuis|gesendet von|gesendet mit|inviato da|enviado desde"
)
_SENT_FROM = re.compile(rf"(?:{_PHONES}) \S.*", re.IGNORECASE)
"""The signature that phones write below a mail: what stands below it is no command."""
LONGEST = 100
"""Characters of a line that may be a command."""


class Command(Struct, frozen=True):
    """A command, what stands behind it, and the line as it was written.

    `read` says how it was read, if not as it stands: `slip` (mistyped, but understood), `meant` (mistyped, and it would
    change something, so the answer asks for it again), or `wrong` (what stands behind it doesn't fit).
    """

    verb: str
    rest: str = ""
    line: str = ""
    read: str = ""


class Reply(Struct, frozen=True):
    """What the answer says of a command: `how` it went, and the facts that the template names."""

    command: Command
    how: str
    facts: Mapping[str, Any] = {}

    @property
    def verb(self) -> str:
        """The command's verb."""
        return self.command.verb


@cache
def words_for(kind: str) -> Mapping[str, str]:
    """Each word that people may write, and what it stands for: `commands`, `votes`. In every language there is, so that
    a command may be in the reader's own language, and in English always.
    """
    found: dict[str, str] = {}
    for path in sorted(
        folder("templates").glob("*/words.yaml"), key=lambda path: (path.parent.name != "en", path)
    ):
        for meaning, written in texts_in(path).get(kind, {}).items():
            for word in typed(written).split(", "):
                found.setdefault(word, meaning)
    return found


def typed(text: str) -> str:
    """A text with the apostrophe that keyboards have."""
    return text.replace("\u2019", "'")


def commands_in(lines: Sequence[str], outside: Iterable[str], subject: str = "") -> tuple[Command, ...]:
    """The commands among a sender's own lines, each once, and in the subject of a mail that is no answer.

    `outside` are those of the lines that don't belong to a sheet. A command begins its paragraph, or stands below
    another one or a greeting: the last words of a longer sentence are none. It isn't indented, as a sheet's text is.
    """
    there, found = {*outside}, list(_in_subject(subject))
    begins = True
    for line in lines:
        text = line.strip()
        if _SENT_FROM.fullmatch(text):
            break
        each = command_in(text) if begins and line in there and not line[:1].isspace() else None
        found += [each] if each is not None else []
        begins = not text or each is not None or _is_greeting(text)
    once = {(each.verb, each.rest): each for each in reversed(found)}
    return tuple(reversed(once.values()))[:MOST_COMMANDS]


def _in_subject(subject: str) -> Iterator[Command]:
    """A subject such as `status`; that of an answer names the thread, and asks for nothing."""
    found = None if _REPLY.match(subject) else command_in(_IN_BRACKETS.sub(" ", subject))
    if found is not None:
        yield found


def _is_greeting(text: str) -> bool:
    return text.endswith((",", "!")) and len(text.split()) <= FEW_WORDS


def command_in(line: str) -> Command | None:
    """The command that a line is; None for prose."""
    text = _END.sub("", _MARKS.sub("", " ".join(line[: LONGEST + 1].split()), count=1))
    if not text or len(text) > LONGEST:
        return None
    first, _, rest = _without_politeness(typed(text)).partition(" ")
    word, rest = first.rstrip(":").casefold(), rest.removeprefix(":").strip()
    known = words_for("commands")
    meant = word if word in known else next((each for each in known if is_a_slip_of(word, each)), "")
    if not meant:
        return None
    verb, slip = known[meant], meant != word
    if re.fullmatch(_REST.get(verb, ""), rest, re.IGNORECASE) and _is_known(verb, rest):
        read = "" if not slip else "meant" if verb in CHANGING else "slip"
        return Command(verb, rest, line.strip(), read)
    few = verb in _REST and not slip and len(rest.split()) <= FEW_WORDS
    return Command(verb, rest, line.strip(), "wrong") if few else None


def _without_politeness(text: str) -> str:
    """A line without the last words, if they only ask nicely: `status please`."""
    nice = next((each for each in words_for("polite") if text.casefold().endswith(f" {each}")), "")
    return text[: len(text) - len(nice)].rstrip(" ,")


def _is_known(verb: str, rest: str) -> bool:
    """Are the words behind a command such that it knows them?"""
    if verb == "vote":
        return rest.casefold() in words_for("votes")
    return verb != "settings" or not rest or {*settings_in(rest)} <= {*words_for("settings")}


def settings_in(rest: str) -> list[str]:
    """The settings that stand behind the command, as they were written: `light, no waiting mails`."""
    return [part.strip().casefold() for part in rest.split(",")]


def without_regent(rest: str) -> tuple[str, bool]:
    """The days behind `away`, and whether they end with the wish that a regent plays: `12.12.-28.12. regent`."""
    wishes = [each for each in words_for("regents") if rest.casefold().endswith(f" {each}")]
    longest = max(wishes, key=len, default="")
    return rest[: len(rest) - len(longest)].rstrip(" ,"), bool(longest)

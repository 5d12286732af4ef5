"""The people of a season: each reads the own mails, and writes as often and as carefully as that person does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from email.message import EmailMessage
from itertools import count

from msgspec import Struct

from adjudicator.cli.post_office import WAYS, answer_to
from adjudicator.engine.bots import random_bot
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.play.attempts import SeededChance
from adjudicator.gm.bots import sheet_of
from tests.mail.servers import GM
from tests.season.post import Got, Post

OFTEN = (80, 60, 60, 45, 25)
"""In how many of a hundred thirds of a day somebody sends what is due."""
LANGUAGES = ("en", "fr", "de")
SLIPS: tuple[Callable[[str], str], ...] = (
    lambda text: text.replace("orders", "ordres", 1),
    lambda text: text.replace(":", ";", 2),
    lambda text: f"{text}  - fly: to the moon\n",
    lambda text: f"phase: 0001-t1-nowhere\n{text}",
    lambda text: text.replace("- ", "- - ", 1),
    lambda text: f"ready: false\n{text}",
    lambda text: "",
    lambda text: text.translate(str.maketrans({"'": "\u2019", "-": "\u2013"})),
)
"""What goes wrong with a sheet on its way."""
ASKED = (
    "status", "form", "map", "history 1", "history", "rules", "rules 3", "help", "calendar", "settings", "statsu",
    "voet end", "away soon", "regles", "statut", "hilfe", "vote no", "settings: waiting mails", "settings: full",
)  # fmt: skip
"""What people ask the program, with slips."""
SAID = (
    "Shall we share the east?", "I will not attack you this turn.\nWill you?", "status", "resign", "Ça marche !",
    "orders: []", "Grüße aus dem Süden", "> quoted\nWell?", "vote end\nis what I would say",
)  # fmt: skip
"""What people write to each other; nothing of it may be obeyed."""


class Place(Struct):
    """A seat of a match, `said` what its player has written that nobody else may read, `asked` the last phase for which
    a sheet was sent.
    """

    match: str
    player: str
    said: list[str] = []
    last: str = ""


class Person:
    """Somebody with an address, seats, and habits that follow from the season's seed."""

    def __init__(self, number: int, seed: str) -> None:
        self.name, self.address = f"p{number:02}", f"p{number:02}@players.example"
        self.chance = SeededChance(f"{seed} {self.name}")
        self.often, self.language = OFTEN[number % len(OFTEN)], LANGUAGES[number % len(LANGUAGES)]
        self.chatty, self.careless, self.robot = number % 4 == 1, number % 5 == 2, number % 9 == 4
        self.places: list[Place] = []
        self.gone = False
        self.read = 0
        self.later: list[tuple[datetime, EmailMessage]] = []
        """Mails that are written, and sent later."""
        self.count = count(1)
        self.written: dict[str, str] = {}
        """The Message-IDs of what was written, each with what it was."""

    def speaks(self, game: str) -> str:
        """The language in which the person reads a game; only one game has German texts."""
        return "en" if self.language == "de" and game != "oltremare" else self.language

    def perhaps(self, percent: int) -> bool:
        """True so often in a hundred times."""
        return self.chance(100) < percent

    def answers(self, to: Got, text: str, kind: str, **headers: str) -> EmailMessage:
        """An answer to a mail, noted as something of a kind."""
        message = answer_to(to.mail, to.to, f"<{next(self.count)}.{self.name}@mailer.example>")
        for name, value in headers.items():
            del message[name.replace("_", "-")]
            message[name.replace("_", "-")] = value
        if text:
            message.set_content(text)
        self.written[str(message["Message-ID"])] = kind
        return message


def mail_of(post: Post, person: Person, place: Place) -> Got | None:
    """The last mail about a seat that isn't an answer."""
    start = f"gm+{place.match}-{place.player}-"
    box = post.boxes.get(person.address, [])
    return next(
        (
            each
            for each in reversed(box)
            if str(each.mail["Reply-To"]).startswith(start)
            and not str(each.mail["Subject"]).startswith("Re:")
        ),
        None,
    )


def sheet(match: Folder, place: Place, person: Person) -> str:
    """A sheet at random, with a word in it that nobody else may read."""
    text = sheet_of(match, place.player, random_bot(match.rulebook), person.chance)
    place.said.append(f"zq{person.name}x{len(place.said)}q{person.chance(10**6)}")
    return f"salt: {place.said[-1]}\n{text}"


def what_is_due(match: Folder, place: Place, person: Person, to: Got) -> Iterator[EmailMessage]:
    """The sheet or answer that a match waits for, in one of the ways in which people send it, careless at times."""
    text = "answers: []\n" if match.opening(match.last).waits else sheet(match, place, person)
    slip = person.careless and person.perhaps(40)
    if slip:
        text = SLIPS[person.chance(len(SLIPS))](text)
    message = person.answers(to, "", "slip" if slip else "sheet")
    list(WAYS.values())[person.chance(len(WAYS))](message, text, to.mail)
    yield message
    if person.perhaps(4):
        yield message  # a mail program that sends twice
    if slip and person.perhaps(60):
        again = person.answers(to, sheet(match, place, person), "sheet")
        yield again
    else:
        place.last = match.phases[-1]


def beside(person: Person, place: Place, to: Got, others: list[str]) -> Iterator[EmailMessage]:
    """What people write besides: questions to the program, messages to each other, and to the GM."""
    if person.perhaps(3):
        yield person.answers(to, f"{ASKED[person.chance(len(ASKED))]}\n", "asked")
    if person.chatty and person.perhaps(6):
        name = others[person.chance(len(others))] if others and person.perhaps(85) else "all"
        word = f"zm{person.name}x{next(person.count)}q"
        text = SAID[person.chance(len(SAID))]
        yield person.answers(to, f"message to {name}:\n{text}\n{word}\nend\nstatus\n", "press")
    if person.chatty and person.perhaps(1):
        yield person.answers(to, "Thanks for all the work!\n", "words")
    if person.robot and person.perhaps(5):
        yield person.answers(to, "I am away.\n", "robot", Auto_Submitted="auto-replied")
    if person.careless and person.perhaps(2):
        yield person.answers(
            to, "orders: []\n", "forged", To=GM, Subject="my orders", In_Reply_To="", References=""
        )


def code_in(got: Got, verb: str) -> str:
    """The line with a code that a mail asks to send back; empty if there is none."""
    found = re.search(rf"`({verb} [^`]*[a-z2-7]{{12}})`", got.text)
    return found[1] if found else ""


def forged(person: Person, now: datetime, number: int) -> bytes:
    """A mail that somebody else writes under a person's address, with what would do harm."""
    text = ("resign", "vote end", "address thief@elsewhere.example", "orders: []")[number % 4]
    head = (
        f"From: {person.address}\nTo: {GM}\nSubject: hello\nMessage-ID: <forged{number}@elsewhere.example>\n"
    )
    return f"{head}Date: {now:%a, %d %b %Y %H:%M:%S +0000}\n\n{text}\n".encode()


def came_back(address: str, message: str, number: int) -> bytes:
    """What a mail server writes of a mail that it couldn't deliver after all."""
    head = f"From: MAILER-DAEMON@players.example\nTo: {GM}\nReturn-Path: <>\nSubject: Undelivered\n"
    ids = f"Message-ID: <bounce{number}@players.example>\nX-Failed-Recipients: {address}\n"
    return f"{head}{ids}\nReturned to you:\n\n{message}\n".encode()

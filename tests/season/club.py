"""A season, played: every eight hours people write, and `mail turn` runs as docs/club.md lets cron do it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

from adjudicator.engine.folder.entries import Replaced, of_kind
from adjudicator.engine.folder.folder import Folder, open_match
from adjudicator.engine.folder.ledger import deadline_in_force, hold_in_force, ledger_of
from adjudicator.engine.folder.names import REFEREE
from tests.cli.calling import adjudicator as call
from tests.mail.servers import GM
from tests.season.events import of_day
from tests.season.people import (
    Person,
    Place,
    beside,
    came_back,
    code_in,
    mail_of,
    what_is_due,
)
from tests.season.post import Got, Post, owner_of

BEGUN = datetime(2026, 11, 1, 6, tzinfo=UTC)
STEP = timedelta(hours=8)
TABLES = (
    ("mediterranee", ("venice", "genoa", "spain", "turkey")),
    ("oltremare", ("contarini", "dandolo", "grimani")),
    ("serenissima", ("blue", "red", "orange")),
    ("triumvirat", ("caesar", "crassus", "pompey")),
    ("rome-carthage", ("rome", "carthage")),
    ("mediterranee", ("venice", "genoa")),
)
SCHEDULE = """zone: {zone}
every: {every}
early: {early}
grace: 12 hours
remind: 1 day
not: [2026-12-24..2026-12-26]
absence: {{times: 2, days: 14}}
missed: {{warn: 1, go-on: 2, replace: 3}}
bank: {bank}
press: {press}
regent: {regent}
shown: {shown}
vote: {vote}
"""
HEARD = re.compile(r"zmp\d+x\d+q")


class Season:
    """The matches and people of a season; `told` are all lines that the GM got, `done` what was left to do by hand."""

    def __init__(self, home: Path, post: Post, *, matches: int, people: int, seed: str) -> None:
        home.mkdir()
        self.home, self.post, self.seed, self.now = home, post, seed, BEGUN
        self.people = [Person(number, seed) for number in range(people)]
        self.waiting = [Person(1000 + number, seed) for number in range(max(3, people // 6))]
        self.told: list[tuple[datetime, str]] = []
        self.done = Counter[str]()
        self.wrong: list[str] = []
        self.todo: dict[tuple[str, str], datetime] = {}
        self.account()
        self.matches = [self.begin(number) for number in range(matches)]

    def begin(self, number: int) -> Path:
        """A match of the next game, with people who play in several matches."""
        game, seats = TABLES[number % len(TABLES)]
        path = self.home / f"m{number:02}"
        file = self.home / "schedule.yaml"
        file.write_text(
            SCHEDULE.format(
                zone=("Europe/Paris", "America/New_York", "UTC")[number % 3],
                every=("3 days", "4 days", "5 days")[number % 3],
                early=("false", "true")[number % 4 == 1],
                bank=("2 days", "0 hours")[number % 2],
                press=("named", "anonymous", "none")[number % 3],
                regent=("true", "false")[number % 2],
                shown=("true", "false")[number % 2],
                vote=("all", "majority")[number // 2 % 2],
            )
        )
        words: list[object] = []
        for place, seat in enumerate(seats):
            person = self.people[(number * 7 + place * (3 + number % 5)) % len(self.people)]
            while any(each.match == path.name for each in person.places):
                person = self.people[(self.people.index(person) + 1) % len(self.people)]
            person.places.append(Place(path.name, seat))
            words += ["--player", f"{seat}={person.name} <{person.address}>"]
            words += ["--language", f"{seat}={person.speaks(game)}"]
        pages = "true" if number == 1 else "false"
        live = ["--option", "pacing=live"] if number == 5 else []
        turns = ["--option", "turns=99"] if game == "mediterranee" else []
        options = [
            "--option",
            f"pages={pages}",
            *live,
            *turns,
            "--gm",
            GM,
            "--schedule",
            file,
            "--seed",
            path.name,
        ]
        told = call("new", game, path, *words, *options, "--at", self.at())
        assert told.exit_code == 0, told.output
        return path

    def account(self) -> None:
        """Writes `mail.yaml`, with who waits for a seat."""
        self.post.account(self.home / "mail.yaml", [f"{each.name} <{each.address}>" for each in self.waiting])

    def at(self) -> str:
        return f"{self.now:%Y-%m-%dT%H:%MZ}"

    def play(self, days: int) -> None:
        """Plays so many days, a third of a day after another."""
        for step in range(days * 3):
            self.now = self.post.now = BEGUN + step * STEP
            self.post.fails = self.outage(step)
            self.account()
            if step:
                every = [*self.people, *self.waiting]
                self.post.write(
                    *self.happens(step), *(mail for each in every for mail in self.written_by(each))
                )
            self.turn()
            self.post.fails = ""
            self.gm()
            if step % 21 == 3:
                told = call("mail", "week", *self.matches, "--at", self.at())
                assert told.exit_code in (0, 1), told.output
        for _ in range(2):  # what an outage left
            self.account()
            self.turn()

    def outage(self, step: int) -> str:
        """What fails in a step: one in twenty."""
        return ("imap", "smtp", "break")[step // 20 % 3] if step % 20 in (11, 12) else ""

    def turn(self) -> None:
        """What cron does."""
        told = call("mail", "turn", "--quiet", *self.matches, "--at", self.at())
        lines = told.output.replace(f"{self.home}/", "").splitlines()
        self.told += [(self.now, line) for line in lines if line.strip()]
        self.who_stops()

    def who_stops(self) -> None:
        """A match whose phase should have closed a day ago is one that the GM was told of since."""
        for path in self.matches:
            match = open_match(path)
            entries = ledger_of(match)
            known = deadline_in_force(entries, match.phases[-1])
            over = match.head(match.last).over or hold_in_force(entries) is not None
            if over or self.now < BEGUN + timedelta(days=1):
                continue
            since = self.now - timedelta(hours=30)
            told = any(at >= since and (path.name in line or "mail.yaml" in line) for at, line in self.told)
            if (known is None or known.closes is None or known.closes < since) and not told:
                self.wrong.append(
                    f"{self.at()} {path.name} stops at {match.phases[-1]}, and the GM wasn't told"
                )

    # -- people -----------------------------------------------------------------------------------------------------

    def written_by(self, person: Person) -> Iterator[EmailMessage]:
        """What somebody writes now."""
        box = self.post.boxes.get(person.address, [])
        fresh, person.read = box[person.read :], len(box)
        if person.gone:
            return
        yield from (mail for at, mail in person.later if at == self.now)
        for got in fresh:
            yield from self.answers_to(person, got)
        for place in person.places:
            match, to = self.match_of(place), mail_of(self.post, person, place)
            if to is None:
                continue
            head = match.head(match.last)
            yield from beside(
                person, place, to, [each for each in match.card.players if each != place.player]
            )
            if not head.over and self.waits_for(match, place) and person.perhaps(person.often):
                yield from what_is_due(match, place, person, to)

    def answers_to(self, person: Person, got: Got) -> Iterator[EmailMessage]:
        """Codes are sent back; who is offered a seat takes it, mostly; some answer in the wrong thread."""
        for verb in ("resign", "address"):
            if line := code_in(got, verb):
                yield person.answers(got, f"{line}\n", "code")
        if line := code_in(got, "take"):
            soon = person.perhaps(60)
            taking = person.answers(got, f"{line}\n", "take" if soon else "late take")
            if soon:
                yield taking
            else:
                person.later.append((self.now + timedelta(days=3), taking))
        found = re.match(r"gm\+(m\d+)-(\w+)-", str(got.mail["Reply-To"]))
        if (
            found
            and not line
            and not any((each.match, each.player) == found.groups() for each in person.places)
        ):
            self.sit_down(person, *found.groups())
        if person.chatty and HEARD.search(got.text) and "Re:" not in got.subject and person.perhaps(30):
            yield person.answers(got, f"I see. zm{person.name}x{next(person.count)}q\n", "press")
        if person.careless and person.perhaps(3):
            yield person.answers(got, "orders: []\n", "old thread")

    def sit_down(self, person: Person, match: str, player: str) -> None:
        """Somebody plays a seat from now on."""
        for other in [*self.people, *self.waiting]:
            other.places = [each for each in other.places if (each.match, each.player) != (match, player)]
        person.places.append(Place(match, player))

    def match_of(self, place: Place) -> Folder:
        return open_match(self.home / place.match)

    def waits_for(self, match: Folder, place: Place) -> bool:
        opening = match.opening(match.last)
        if opening.waits:
            return opening.waits == place.player
        return place.player in opening.due and place.last != match.phases[-1]

    def happens(self, step: int) -> Iterator[EmailMessage | bytes]:
        """What servers send back, and what happens once a day."""
        for number, (address, message) in enumerate(self.post.returned):
            yield came_back(address, message, step * 100 + number)
        self.post.returned.clear()
        if step % 3 == 1:
            yield from of_day(self, step // 3)

    # -- the GM -----------------------------------------------------------------------------------------------------

    def gm(self) -> None:
        """What the lines of this turn leave to do by hand, two days later; and counts them."""
        for at, line in self.told:
            if at != self.now:
                continue
            for name, where in re.findall(r"(m\d+): .*(?:refused for|bounced of|mail for) (\w+)", line):
                self.todo.setdefault((name, where), self.now + timedelta(days=2))
        for (name, player), when in [*self.todo.items()]:
            if when <= self.now:
                del self.todo[name, player]
                self.correct_address(name, player)

    def correct_address(self, name: str, player: str) -> None:
        """The GM has asked by other ways, and corrects the address."""
        match = open_match(self.home / name)
        secrets = match.secrets()
        assert secrets is not None
        old = secrets.addresses.get(player, "")
        person = next((each for each in [*self.people, *self.waiting] if each.address == owner_of(old)), None)
        if person is None or match.head(match.last).over or not {old} & (self.post.dead | self.post.silent):
            return
        self.done["corrects an address in referee.yaml, makes a token"] += 1
        file = match.path / REFEREE
        file.write_text(file.read_text().replace(old, f"b-{old}"))
        told = call("mail", "token", match.path, player, "--new")
        assert told.exit_code == 0, told.output

    def replaced(self) -> int:
        """How often somebody else has got a seat."""
        return sum(len(of_kind(ledger_of(open_match(path)), Replaced)) for path in self.matches)

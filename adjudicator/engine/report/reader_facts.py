"""What a reader is told of a match, as one value from which reports, maps and pages are made.

Luck with dice: what a player threw, what was to be expected, and how seldom anybody throws so well or so badly.

What can be checked of a reader's files, as a value: people read it in the report, programs in `receipts.json`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from adjudicator.engine.ahead.due_sheets import SheetStatus
from adjudicator.engine.play.account import OrderAccount, Word, every_account
from adjudicator.engine.play.known import Known
from adjudicator.engine.sheets.sheet import SeenMark
from adjudicator.engine.table.event import Event, Player, Shuffled, Thrown
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.table.secret import encode_secret

if TYPE_CHECKING:
    from fractions import Fraction

    from adjudicator.engine.report.chart import Chart


Throw = tuple[int, tuple[int, ...]]
"""A throw: the face, and all faces of the die, none of them below 0."""


class Luck(Struct, frozen=True):
    """What a player threw: so many `dice`, their sum, and the sum that was to be expected.

    `above` is the chance of such a sum or a higher one, `below` that of such a sum or a lower one.
    """

    dice: int
    thrown: int
    expected: float
    above: Fraction
    below: Fraction

    @property
    def good(self) -> bool:
        """Was the sum at least the expected one?"""
        return self.thrown >= self.expected

    @property
    def once_in(self) -> int:
        """Of so many players who throw these dice one is as far from what was to be expected, or farther."""
        return round(1 / (self.above if self.good else self.below))


def luck_of(throws: Sequence[Throw]) -> Luck:
    """The luck in some throws.

    All sums are worked out with one large number, whose digit number N counts the ways to throw the sum N: a die has a
    1 at each of its faces, and several dice are multiplied. The sum of a number's digits is its remainder modulo the
    base minus one.
    """
    from fractions import Fraction

    thrown, kinds = sum(face for face, _ in throws), Counter(die for _, die in throws)
    ways = 1
    for die, count in kinds.items():
        ways *= len(die) ** count
    digit, sums = ways.bit_length() + 1, 1
    for die, count in kinds.items():
        sums *= sum(1 << digit * face for face in die) ** count
    ones = (1 << digit) - 1
    above, below = (sums >> digit * thrown) % ones, (sums & (1 << digit * (thrown + 1)) - 1) % ones
    expected = sum(count * sum(die) / len(die) for die, count in kinds.items())
    return Luck(len(throws), thrown, expected, Fraction(above, ways), Fraction(below, ways))


_ENCODER = msgspec.json.Encoder(enc_hook=encode_secret)


class ToldThrow(Struct, frozen=True, omit_defaults=True):
    """A throw or a shuffle, as its reader may know it: its phase, what it was for, and what came."""

    phase: str
    what: tuple[str, ...]
    face: int | None = None
    order: tuple[str, ...] | None = None


class Drawn(Struct, frozen=True, omit_defaults=True):
    """What was drawn in public for the throws of a phase: in a round of drand, or of the source that was named."""

    phase: str
    value: str
    drand: int = 0
    named: str = ""


class Receipts(Struct, frozen=True):
    """`receipts.json`: the match, the SHA-256 of its seed, its reader and phase, and what can be checked.

    `marks` are those of the chain by phase. `told` is the phase whose sheets the receipts are of, empty if nobody was
    due: `used` are the receipts of the reader's own files, by name, and `seals` those of all players, sealed. `thrown`
    are all throws since the last reports, and `drawn` is what was drawn in public for them. `seen` are the marks that
    players named in what they sent for `told`.
    """

    match: str
    seed: str
    reader: str
    phase: str
    marks: Mapping[str, str] = {}
    told: str = ""
    used: Mapping[str, str] = {}
    seals: Mapping[Player, str] = {}
    thrown: tuple[ToldThrow, ...] = ()
    drawn: tuple[Drawn, ...] = ()
    seen: Mapping[Player, SeenMark] = {}

    @property
    def mark(self) -> str:
        """The mark of these reports: that of their phase; empty without one."""
        return self.marks.get(self.phase, "")


def text_of(receipts: Receipts) -> str:
    """The text of `receipts.json`: one line for each part."""
    pairs = msgspec.to_builtins(receipts, enc_hook=encode_secret)
    for seldom in ("drawn", "seen"):
        if not pairs[seldom]:
            del pairs[seldom]
    lines = [f"{_json(key)}: {_json_lines(value)}" for key, value in pairs.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json_lines(value: Any) -> str:
    if isinstance(value, list | tuple) and value:
        return "[\n" + ",\n".join(f"  {_json(each)}" for each in value) + "\n]"
    return _json(value)


def _json(value: Any) -> str:
    return _ENCODER.encode(value).decode()


def throws_told(phase: str, events: Iterable[Event[Any]]) -> Iterator[ToldThrow]:
    """The throws in events, as the reader of the events may know them."""
    for event in events:
        if isinstance(event, Thrown):
            yield ToldThrow(phase, event.what, face=event.face)
        elif isinstance(event, Shuffled):
            yield ToldThrow(phase, event.what, order=tuple(map(encode_secret, event.order)))


CARRIED_OUT = (Word.DONE, Word.PARTLY)
Accounts = Mapping[str, Sequence[OrderAccount]]
"""What became of a reader's orders, by the folder of their phase: `0003-t1-market`."""
NO_ACCOUNTS: Accounts = {}
Link = tuple[str, str]
"""Another page: its address as seen from this one, and its title."""


class ReaderFacts(Struct, frozen=True):
    """What a report tells its reader: the events since the last one, the position before them, and that after them.

    `view` is the position after them as the reader sees it, if `after` also has what the reader could work out.
    `people` are the names of those who play, by their seats, as far as the GM has given them. `accounts` say what
    became of the reader's own orders. `known` gives what the reader knows of the position after them.
    """

    who: Player | None
    before: Any
    events: Sequence[Event[Any]]
    after: Any
    people: Mapping[Player, str] = {}
    accounts: Accounts = {}
    view: Any = None
    known: Callable[[], Known] | None = None

    @property
    def seen(self) -> Any:
        """The position after the events as the reader sees it."""
        return self.after if self.view is None else self.view


class OrderReceived(Struct, frozen=True):
    """An order that we already have, as written and as a line of text, and what would become of it now."""

    plain: Any
    order: str
    account: OrderAccount

    @property
    def why(self) -> Reason | None:
        """The first thing that stands against it now, if anything does."""
        return next((each.reason for each in self.account.findings if each.severity != "warning"), None)

    @property
    def instead(self) -> OrderAccount | None:
        """The order of its `else` that would be carried out now in its place, if one would."""
        return next(
            (each for each in every_account(self.account.otherwise) if each.word in CARRIED_OUT), None
        )

    @property
    def vain(self) -> bool:
        """Would the order lead to nothing as things stand?"""
        return self.account.outcome is Word.NOTHING


class OrdersReceived(Struct, frozen=True):
    """What we already have for a phase, and the folder with its sheet; an empty folder means standing orders.

    `passes`: without orders nothing is done in it, not even what the rules otherwise do for a player without orders.
    `draft`: the sheet says `ready: false`.
    """

    phase: str
    folder: str
    orders: Sequence[OrderReceived]
    passes: bool = True
    draft: bool = False

    @property
    def vain(self) -> bool:
        """Are there orders, none of them possible as things stand?"""
        return bool(self.orders) and all(order.vain for order in self.orders)


class Numbers(Struct, frozen=True):
    """A player's match in numbers: `led` turns alone in front, the points gained in the `best` turn, what was earned in
    all, in the game's unit of income, in how many fights the player was, and the luck (None without a throw).
    """

    player: Player
    points: int
    led: int
    best: int
    best_turn: int
    earned: int
    fights: int
    luck: Luck | None


class FinishedMatch(Struct, frozen=True):
    """A match that is over: a few sentences, its figures, each with its name, and every player's numbers."""

    sentences: Sequence[str]
    figures: Sequence[tuple[str, str]]
    numbers: Sequence[Numbers] = ()


class Extras(Struct, frozen=True):
    """What else goes into a reader's texts, besides the facts.

    `due_text` is the deadline in words, `due_soon` in few of them, such as `Tue 24 Nov 20:00`. `ahead` is the folder of
    the earlier sheet with the orders for this phase, `sent` everything we already have for this phase and those to
    come. `status` says why the reader needs no sheet at this phase, or why the match awaits one anyway (None: the
    reader isn't due). `vain`: none of these orders is possible as things stand. `asked` are the due players who were
    asked for their orders at an earlier phase, which everybody may know. `bots` are the seats that a program plays, for
    whose sheets nobody waits. `lost` are pieces lost since, for which the reader is asked again. `gm` is the GM's
    address, `receipts` what can be checked. `done` is what the GM has done to the match since the last report, one
    sentence of Markdown each. `calendar` is the text of the deadline's calendar file. `instead` is what was carried out
    at the phase of the last reports for a reader who sent no orders: those of an earlier sheet, by its folder, or
    `standing` ones. `silent` is that phase, by its folder, if the reader was due in it and sent nothing. `finished` is
    the match in sentences and numbers, if it is over. `last` are the lists that the reader ranked last, by phase and
    verb (`last_lists`). `people` are the names of those who play, by their seats. `guess`: nothing of it has happened,
    and nobody is asked for anything.
    """

    due_text: str = ""
    ahead: str = ""
    sent: Sequence[OrdersReceived] = ()
    status: SheetStatus | None = None
    vain: bool = False
    asked: Sequence[Player] = ()
    bots: Collection[Player] = ()
    lost: Sequence[str] = ()
    gm: str = ""
    guess: bool = False
    chart: Chart | None = None
    receipts: Receipts | None = None
    done: Sequence[str] = ()
    calendar: str = ""
    instead: str = ""
    silent: str = ""
    due_soon: str = ""
    finished: FinishedMatch | None = None
    last: Mapping[str, Mapping[str, Sequence[Any]]] = {}
    people: Mapping[Player, str] = {}


NOTHING_BESIDES = Extras()

"""What events mean to a reader: gained, lost, threatened, and what is notable about them.

A game says so in `news.md.j2`: a macro of the event's name for each kind of event that means something, `quiet` for
the names of the others, and `threats` for what a position threatens. They write on the `News` they are given.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from adjudicator.engine.library.languages import Noun
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.report.reader_facts import ReaderFacts, Throw
from adjudicator.engine.report.template import macros, names
from adjudicator.engine.table.event import Event, Player, with_positions_before
from adjudicator.engine.table.rulebook import Rulebook

OWN = "news.md.j2"
YOU = "you"
"""The reader's name, by which a language says `you` in all its forms."""
LEVELS = ("slight", "small", "fair", "great", "decisive")
"""How notable something can be."""
OF_READER = 1.5
"""By so many levels news about the reader is more notable than the same news about others, in a match that is over."""
IN_HEADLINE = 2.5
"""The same at the head of a report: what happened to its reader, unless somebody else's is far more notable."""


class Item(Struct, frozen=True):
    """Something to tell, in Markdown: how notable it is (a number of LEVELS), when, and whether it is the reader's."""

    level: int
    text: str
    turn: int = 0
    mine: bool = False


class Fight(Struct, frozen=True):
    """A fight: `size` counts who fought, in the game's own unit; `text` says who fought whom and where; and the players
    in it."""

    size: int
    text: str
    turn: int
    players: Sequence[Player] = ()


class News:
    """What a reader is told of some events; the macros of `news.md.j2` call the methods without an underscore.

    `who` is the reader (None: the public), `here` the position before the event as far as the reader knows it, `turn`
    the turn in which it happened. How notable something is, is one of LEVELS. `units` of the template gives each unit
    its level and its two words: `{"ducats": ("slight", "ducat", "ducats")}`; `income` is the one in which all players'
    gains are added up, if the game has any.
    """

    def __init__(self, rulebook: Rulebook[Any], who: Player | None) -> None:
        texts = texts_of(rulebook)
        self.who, self.turn = who, 0
        self.here: Any = None
        self._own, self._names = macros(texts, OWN), names(texts)
        self._lists = macros(texts, "lists.md.j2")
        self.headlines: list[Item] = []
        self.fights: list[Fight] = []
        self.throws: defaultdict[Player, list[Throw]] = defaultdict(list)
        self.earned: defaultdict[Player, int] = defaultdict(int)
        self._items: defaultdict[str, list[Item]] = defaultdict(list)
        self._sums: defaultdict[tuple[str, str], defaultdict[str, int]] = defaultdict(
            lambda: defaultdict(int)
        )

    # -- for the macros ------------------------------------------------------------------------------------------------

    def whom(self, player: Player) -> Noun:
        """The player as an object: `you`, or the name, each with its forms; `nobody` if there is none."""
        return self._names.get(YOU if player == self.who else player)

    def does(
        self,
        players: Player | Sequence[Player],
        yours: str,
        singular: str,
        plural: str = "",
        together: str = "",
    ) -> str:
        """One or several players and a verb in its forms: `You take`, `Genoa takes`, `Genoa and Venice take`, `You and
        Genoa take`; `plural` and `together` are `yours`, if they are left out.
        """
        every = [players] if isinstance(players, str) else list(players)
        told = [*([YOU] if self.who in every else []), *(each for each in every if each != self.who)]
        one, several = (yours, together or yours) if self.who in every else (singular, plural or yours)
        said = f"{self._lists.both(told)} {several if every[1:] else one}"
        return said[:1].upper() + said[1:]

    def headline(self, level: str, text: str, *players: Player) -> None:
        """Notes a sentence, without its stop, that may head the report; `players` are those whom it concerns."""
        mine = self.who is not None and self.who in players
        self.headlines.append(Item(LEVELS.index(level), on_one_line(text), self.turn, mine))

    def gained(self, player: Player, level: str, text: str) -> None:
        """Notes something that a player has gained."""
        self._note("gained", player, level, text)

    def lost(self, player: Player, level: str, text: str) -> None:
        """Notes something that a player has lost."""
        self._note("lost", player, level, text)

    def threat(self, player: Player, level: str, text: str) -> None:
        """Notes something that threatens a player."""
        self._note("threat", player, level, text)

    def amount(self, player: Player, unit: str, count: int, why: str) -> None:
        """Notes an amount of a unit that was gained, or lost if below 0, and its reason; amounts with the same words
        are added up."""
        if unit == self._own.income and count > 0:
            self.earned[player] += count
        if player == self.who and count:
            self._sums["gained" if count > 0 else "lost", unit][on_one_line(why)] += abs(count)

    def fight(self, size: int, text: str, *players: Player) -> None:
        """Notes a fight between some players, from which the largest of the match is chosen."""
        self.fights.append(
            Fight(size, on_one_line(text), self.turn, [player for player in players if player])
        )

    def luck(self, player: Player, face: int, die: Sequence[int]) -> None:
        """Notes the face that a player threw, of a die with these faces: the luck in a match is worked out from it.

        Raises ValueError if the die hasn't that face.
        """
        if face not in die or min(die) < 0:
            raise ValueError(f"a die with the faces {die} can't show {face}")
        if player:
            self.throws[player].append((face, tuple(die)))

    # -- for the report ------------------------------------------------------------------------------------------------

    def note_events(self, events: Iterable[Event[Any]], before: Any) -> None:
        """Notes what the events mean, one after another; `before` is the position in which they begin."""
        for event, here in with_positions_before(events, before):
            self.here, self.turn = here, here.phase.turn if here is not None else self.turn
            macro = getattr(self._own, type(event).__name__, None)
            if macro is not None:
                macro(event, self)

    def note_threats(self, state: Any) -> None:
        """Notes the threats in a position."""
        self.here, self.turn = state, state.phase.turn
        self._own.threats(state, self)

    def told(self, kind: str) -> list[str]:
        """What was gained, lost or threatens the reader, the most notable first."""
        found = [*self._items[kind]]
        for (of, unit), parts in self._sums.items():
            if of == kind:
                level, one, many = self._own.units[unit]
                told = on_one_line(self._lists.summed(parts, one, many))
                found.append(Item(LEVELS.index(level), told))
        return list(dict.fromkeys(each.text for each in sorted(found, key=lambda each: -each.level)))

    def top(self, most: int, of_reader: float = OF_READER) -> list[Item]:
        """The most notable headlines, those about the reader first; of equal ones the later."""
        ranked = sorted(
            enumerate(self.headlines), key=lambda each: (-weight_of(each[1], of_reader), -each[0])
        )
        return list({item.text: item for _, item in ranked}.values())[:most]

    def _note(self, kind: str, player: Player, level: str, text: str) -> None:
        if player == self.who:
            self._items[kind].append(Item(LEVELS.index(level), on_one_line(text)))


def weight_of(item: Item, of_reader: float = OF_READER) -> float:
    """How notable an item is to the reader."""
    return item.level + (of_reader if item.mine else 0)


def news_of(rulebook: Rulebook[Any], told: ReaderFacts) -> News:
    """What the facts mean to their reader."""
    found = News(rulebook, told.who)
    if told.before is not None:
        found.note_events(told.events, told.before)
    if told.who is not None and not told.after.phase.over:
        found.note_threats(told.after)
    return found


def on_one_line(text: Any) -> str:
    """A macro's text on one line."""
    return " ".join(str(text).split())

"""The first lines of a report: what changed most, what it means to the reader, what to decide now, and who leads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.engine.library.texts import habits, texts_of
from adjudicator.engine.play.account import Word, every_account
from adjudicator.engine.play.stops import asked_at
from adjudicator.engine.report.filters import without_needless_escapes
from adjudicator.engine.report.news import IN_HEADLINE, News, news_of, on_one_line
from adjudicator.engine.report.reader_facts import Extras, ReaderFacts
from adjudicator.engine.report.template import macros
from adjudicator.engine.table.event import Head, NotSent, Opened, Player
from adjudicator.engine.table.points import Total, total
from adjudicator.engine.table.rulebook import Rulebook

OWN = "first.md.j2"
UNMET = ("if-false", "if-so", "if-none")
"""The keys of the reasons by which an order is left undone because its own `if` isn't true: its player wanted that."""
MOST_ITEMS = 3
"""The most things that one line lists."""
LONGEST_ITEM = 140
"""The longest of these things, in characters; the report has it whole below."""
LONGEST = 110
"""The longest line that lists several things, in characters: two lines on a phone."""


class Row(Struct, frozen=True):
    """What was gained, lost or missed, orders that came to nothing or were partly done, or what threatens the reader:
    kind, its name, text.
    """

    kind: str
    label: str
    text: str


class Stand(Struct, frozen=True):
    """How a player stands: the points as far as they are known, and `share`, per cent of the most points.

    `mark` stands for the name where there is little room, `person` is who plays; `mine`: it is the reader.

    `scoring` is what a scoring now would bring, if the game has any during a match. `side` names those who win
    together, with their points, at the first of them.
    """

    player: Player
    name: str
    mark: str
    points: Total
    share: int
    scoring: Total | None = None
    person: str = ""
    mine: bool = False
    side: str = ""


class FirstLines(Struct, frozen=True):
    """The first lines, as Markdown.

    `now` says what is open and for whom the report is, `since` what the report tells of, `decide` what is asked of the
    reader, with the details below it, `call` whether there is something to fill in, `notes` what else is to say of who
    leads.

    At the end `match` is the whole match in a few sentences, and `figures` are some numbers of it, each with its name.
    `people` are those who play, each with the seat's name.
    """

    now: str
    since: str
    headline: str
    rows: Sequence[Row]
    decide: str
    details: str
    call: bool
    stands: Sequence[Stand]
    heading: str
    notes: Sequence[str]
    undone: str = ""
    match: Sequence[str] = ()
    figures: Sequence[tuple[str, str]] = ()
    people: Sequence[tuple[str, str]] = ()


class DecisionFacts(Struct, frozen=True):
    """The facts that say who must decide what: the phases of the sheet, the players the match waits for, and the
    question.
    """

    head: Head
    me: Player
    phases: Sequence[str]
    left: Sequence[Player]
    waiting: Player
    question: str
    extras: Extras


def first_of(
    rulebook: Rulebook[Any],
    told: ReaderFacts,
    extras: Extras,
    *,
    waiting: Player = "",
    question: str = "",
    undone: str = "",
) -> FirstLines:
    """The first lines of the report that tells the facts `told`; the other parameters are those of `render_report`."""
    own, state = macros(texts_of(rulebook), OWN), told.after
    news, head = news_of(rulebook, told), state.phase
    asked = DecisionFacts(
        head,
        told.who or "",
        [] if head.over else [each.name for each in asked_at(rulebook, state.options, head.name)],
        players_awaited(head, told.who or "", extras),
        waiting,
        question,
        extras,
    )
    set_up = not head.over and rulebook.phase(head.name).once  # nobody leads before all have set up
    stands = [] if set_up else stands_of(rulebook, state, told.people, told.who)
    sides = sides_of(rulebook.sides(state), stands)
    stands = by_side(own, sides, stands, news)
    changed = headline(news, own, told)
    leading = own.lead_of_sides(sides, news) if sides else own.lead(stands, news)
    of_stands = result_of_reader(own, rulebook, told, stands) if head.over else on_one_line(leading)
    lost = head.over and told.who not in rulebook.won(state)  # then the reader's place comes first
    return FirstLines(
        now=on_one_line(own.now(head, told.who or "", rulebook.last_turn(state))),
        since=on_one_line(own.since(span(told), news.who)),
        headline=" ".join(filter(None, [of_stands, changed] if lost else [changed, of_stands])),
        rows=[*beginning(rulebook, told), *rows(rulebook, news, told, extras)],
        decide=on_one_line(own.decide(asked)),
        details=on_one_line(own.details(asked)),
        call=bool(question) or (told.who in head.due and not waiting),
        stands=stands,
        heading=on_one_line(own.heading(head)),
        notes=[] if head.over else list(filter(None, notes(own, rulebook, stands, news))),
        undone=on_one_line(own.undone(undone)),
        match=extras.finished.sentences if extras.finished else (),
        figures=extras.finished.figures if extras.finished else (),
        people=[(on_one_line(own.called(player)), person) for player, person in told.people.items()],
    )


def first_lines(rulebook: Rulebook[Any], first: FirstLines) -> str:
    """The first lines as Markdown."""
    return without_needless_escapes(str(macros(texts_of(rulebook), OWN).lines(first)).strip())


def span(told: ReaderFacts) -> tuple[Head, Head] | None:
    """The first and the last phase that the facts tell of; None if it is a single one."""
    heads = [told.before.phase] if told.before is not None else []
    heads += [event.phase for event in told.events if isinstance(event, Opened)]
    heads = [head for head in heads if head.number < told.after.phase.number]
    if not heads or (heads[0].name, heads[0].turn) == (heads[-1].name, heads[-1].turn):
        return None
    return heads[0], heads[-1]


def headline(news: News, own: Any, told: ReaderFacts) -> str:
    """What changed most, as a sentence; at the end, how the match ended, which is told last."""
    best = news.headlines[-1:] if told.after.phase.over else news.top(1, IN_HEADLINE)
    began = told.before is None or told.before.phase.number == 0
    return f"{best[0].text}." if best else on_one_line(own.quiet(told.after.phase, began))


def beginning(rulebook: Rulebook[Any], told: ReaderFacts) -> Iterator[Row]:
    """On a player's first report of a match: against whom it is played, and for what."""
    if told.who is None or told.after.phase.number > 1:
        return
    own, state = macros(texts_of(rulebook), OWN), told.after
    friends = next((side for side in rulebook.sides(state) if told.who in side), (told.who,))
    others = [player for player in state.players if player not in friends]
    partners = [player for player in friends if player != told.who]
    yield Row(
        "against", on_one_line(own.against_label()), on_one_line(own.against(others, partners, told.people))
    )
    aim = on_one_line(own.aim(rulebook.last_turn(state)))
    if aim:
        yield Row("aim", on_one_line(own.aim_label()), aim)


def rows(rulebook: Rulebook[Any], news: News, told: ReaderFacts, extras: Extras) -> Iterator[Row]:
    """What was gained or lost, which orders came to nothing or were partly done, and what threatens, one line for each
    kind.
    """
    own = macros(texts_of(rulebook), OWN)
    fared: dict[str, list[str]] = {"nothing": [], "partly": [], "idle": []}
    for account in (each for folder in told.accounts.values() for each in folder):
        reasons = [(one.order, reason) for one in every_account([account]) for reason in one.reasons]
        if account.outcome in (Word.NOTHING, Word.PARTLY) and reasons:
            order, reason = reasons[0]
            kind = "idle" if reason.key in UNMET else str(account.outcome)
            fared[kind].append(on_one_line(own.not_done(order, reason)))
    unsent = [
        on_one_line(own.not_sent(event))
        for event in told.events
        if isinstance(event, NotSent) and event.player == told.who
    ]
    if extras.silent:
        unsent.append(on_one_line(own.silent(extras)))
    found = {
        "gained": news.told("gained"),
        "lost": news.told("lost"),
        "missed": unsent,
        **fared,
        "threat": news.told("threat"),
    }
    for kind, texts in found.items():
        if texts:
            label = on_one_line(getattr(own, kind + "_label")())
            yield Row(kind, label, short_list(own, texts, habits(texts_of(rulebook))["apart"]))


def short_list(own: Any, texts: Sequence[str], apart: str) -> str:
    """The first things in a line, as long as it isn't too long, and how many more there are; `apart` stands between
    them.
    """
    texts = [shortened_text(text) for text in texts]
    shown = texts[:1]
    for text in texts[1:MOST_ITEMS]:
        if len(apart.join([*shown, text])) > LONGEST:
            break
        shown.append(text)
    more = len(texts) - len(shown)
    return apart.join([*shown, *([on_one_line(own.more(more))] if more else [])])


def shortened_text(text: str) -> str:
    """The text, cut at a word if it is too long, with its code closed."""
    if len(text) <= LONGEST_ITEM:
        return text
    cut = text[:LONGEST_ITEM].rpartition(" ")[0].rstrip(",;:")
    return cut + ("`" if cut.count("`") % 2 else "") + " …"


def players_awaited(head: Head, me: Player, extras: Extras) -> list[Player]:
    """The players whom the match may still wait for, as far as the reader may know.

    Whose sheets are in is secret, because standing orders are. If everybody else's are known to be in, the one player
    left is named. A bot's sheet is always in.
    """
    covered = [*extras.asked, *extras.bots, *([me] if extras.status in ("ahead", "standing") else [])]
    return [player for player in head.due if player not in covered] or [*head.due]


# -- who leads -------------------------------------------------------------------------------------------------------


def stands_of(
    rulebook: Rulebook[Any], state: Any, people: Mapping[Player, str], who: Player | None = None
) -> list[Stand]:
    """How everybody stands, the first in front; empty if nothing counts yet. `who` is the reader."""
    if state.phase.name == rulebook.phases[0].name:
        return []
    counted = totals(rulebook.points(state))
    scored = totals(rulebook.scoring(state)) if rulebook.scoring is not None and not state.phase.over else {}
    most = max((each.points for each in counted.values()), default=0)
    own = macros(texts_of(rulebook), OWN)
    known = marks(rulebook, counted)
    return [
        Stand(
            player,
            on_one_line(own.called(player)),
            known[player],
            points,
            100 * max(points.points, 0) // most if most > 0 else 0,
            scored.get(player),
            people.get(player, ""),
            player == who,
        )
        for player, points in sorted(counted.items(), key=lambda each: -each[1].points)
    ]


def sides_of(
    sides: Sequence[Sequence[Player]], stands: Sequence[Stand]
) -> list[tuple[Sequence[Player], Total]]:
    """Those who win together, with their points, the side in front first; empty where all play alone."""
    points = {each.player: each.points for each in stands}
    found = [
        (
            side,
            Total(sum(points[player].points for player in side), any(points[player].more for player in side)),
        )
        for side in (sides if points else ())
    ]
    return sorted(found, key=lambda each: -each[1].points)


def by_side(
    own: Any, sides: Sequence[tuple[Sequence[Player], Total]], stands: Sequence[Stand], news: News
) -> list[Stand]:
    """The stands side by side, each side named at its first; as they are where all play alone."""
    found = []
    for players, points in sides:
        first, *others = [each for each in stands if each.player in players]
        name = on_one_line(own.side(players, points, news)) if others else ""
        found += [replace(first, side=name), *others]
    return found or list(stands)


def marks(rulebook: Rulebook[Any], players: Iterable[Player]) -> dict[Player, str]:
    """What stands for each player's name where there is little room."""
    own = macros(texts_of(rulebook), OWN)
    names = {player: on_one_line(own.called(player)) for player in players}
    return {
        player: on_one_line(own.short(player)) or mark_of(name, names.values())
        for player, name in names.items()
    }


def mark_of(name: str, names: Iterable[str]) -> str:
    """The fewest letters of a name that tell it from all others."""
    others = [other for other in names if other != name]
    lengths = (at for at in range(1, len(name)) if not any(each[:at] == name[:at] for each in others))
    return name[: next(lengths, len(name))]


def totals(points: Mapping[Player, Any]) -> dict[Player, Total]:
    """Everybody's total points."""
    return {player: total(lines) for player, lines in points.items()}


def result_of_reader(own: Any, rulebook: Rulebook[Any], told: ReaderFacts, stands: Sequence[Stand]) -> str:
    """How the reader stands at the end: the lead of a winner, or another's place; empty for the public, or a draw.

    Where the winners don't have the most points, places say nothing: somebody else has lost.
    """
    winners = rulebook.won(told.after)
    points = {each.player: each.points.points for each in stands}
    others = [points[player] for player in points if player not in winners]
    if told.who is None or not winners or not others:
        return ""
    mine, best = points[told.who], min(points[player] for player in winners)
    by_points = best >= max(others)
    if told.who in winners:
        return on_one_line(own.ahead(mine - max(others))) if by_points else ""
    place = 1 + sum(each > mine or player in winners for player, each in points.items())
    return on_one_line(own.behind(place, mine, best - mine) if by_points else own.lost())


def notes(own: Any, rulebook: Rulebook[Any], stands: Sequence[Stand], news: News) -> Iterator[str]:
    """Notes on how everybody stands: what is secret, who would pass, what a scoring would bring."""
    yield on_one_line(own.hidden(stands))
    yield how_to_pass(rulebook, stands)
    yield on_one_line(own.scoring(stands, news))


def how_to_pass(rulebook: Rulebook[Any], stands: Sequence[Stand]) -> str:
    """How the strongest of those who may secretly have more would pass the leader, who may have more too; empty if
    nobody may."""
    rivals = [each for each in stands[1:] if each.points.more]
    if not rivals or stands[0].points.points == stands[1].points.points:
        return ""
    own, first, rival = macros(texts_of(rulebook), "news.md.j2"), stands[0], rivals[0]
    leader = first.player if first.points.more else ""
    return on_one_line(own.passes(rival.player, first.points.points - rival.points.points, leader))

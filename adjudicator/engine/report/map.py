"""Maps: a picture of a redacted position and of what has happened since the one before.

A game brings `map.svg.j2`: `places`, all places of its board, and macros that draw on a canvas, from the lowest layer
to the highest: `shore`, between sea and land; `ground`, below all that means something; `lands`, the colours of their
owners; `moves`, the ways taken; `names`; `marks`, the position; `fights`; and `legend`, which explains the signs and
the colours of the players in `chart.players`. `style` is the style of its own signs, `defs` what they use, `text` the
picture in words, `window` the part of the earth that is shown, where the places don't tell it. Ground and names never
change, so they are drawn once and kept for later commands, and the legend once for each table. A game needs `places`,
`ground`, `names`, `marks` and `text`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from adjudicator.engine.library.texts import Texts, cached_in_texts, texts_of
from adjudicator.engine.report.canvas import Canvas, Window
from adjudicator.engine.report.disk_cache import cached_on_disk
from adjudicator.engine.report.template import environment, macros
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.rulebook import Rulebook

Followed = Sequence[tuple[Event[Any], Any]]
"""Events as a reader may know them, each with the position before it (`event.with_positions_before`)."""
OWN = "map.svg.j2"
NOBODY: Mapping[Player, str] = {}
"""No names of people."""


class Picture(Struct, frozen=True):
    """A map: the whole SVG, which needs no other file, a description in words, and the layers below and above names."""

    svg: str
    text: str
    under: str = ""
    over: str = ""


class Layers(Struct, frozen=True):
    """The parts of a map that change from phase to phase, one element a line, below and above the names; and in words.

    The legend is the same in all phases of a match.
    """

    under: str
    over: str
    text: str
    legend: str


class Frame(Struct, frozen=True):
    """The layers of a map after some of the events, and their lines that show what happened in these."""

    under: str
    over: str
    drawn: Sequence[str]


class Ground(Struct, frozen=True):
    """The part of a game's map that never changes, and the canvas with the room that it takes."""

    canvas: Canvas
    style: str
    defs: str
    coast: str
    shore: str
    ground: str
    names: str


def picture(
    rulebook: Rulebook[Any], state: Any, told: Followed = (), people: Mapping[Player, str] = NOBODY
) -> Picture:
    """The map of a position, with the moves and fights that the facts tell; both as one reader may know them. `people`
    are the names of those who play, for the legend.
    """
    drawn = layers(rulebook, state, told, people)
    return Picture(svg_of(rulebook, drawn), drawn.text, drawn.under, drawn.over)


def layers(
    rulebook: Rulebook[Any], state: Any, told: Followed = (), people: Mapping[Player, str] = NOBODY
) -> Layers:
    """What the map shows on the ground in a position, and what has happened."""
    texts = texts_of(rulebook)
    own = macros(texts, OWN)
    if not own.places:
        return Layers("", "", "", "")
    canvas = empty_canvas(texts)
    under = without_empty_lines(
        f"{optional_layer(own, 'lands', canvas, state)}\n{optional_layer(own, 'moves', canvas, told)}"
    )
    over = without_empty_lines(f"{own.marks(canvas, state)}\n{optional_layer(own, 'fights', canvas, told)}")
    text = " ".join(str(own.text(state, told)).split())
    return Layers(under, over, text, legend(texts, tuple(state.players), tuple(people.items())))


def frames(rulebook: Rulebook[Any], told: Followed, parts: Iterable[tuple[Any, Followed]]) -> Iterator[Frame]:
    """The map after each part of the events: the position then, with the moves and fights of that part alone. Pieces
    keep off the ways of all the events, so that they stand where they stand on the map of them all.
    """
    texts = texts_of(rulebook)
    own = macros(texts, OWN)
    free = empty_canvas(texts) if own.places else None
    if free is None:
        return
    taken = free.copy()
    optional_layer(own, "moves", taken, told)
    for state, part in parts:
        lands = without_empty_lines(optional_layer(own, "lands", free.copy(), state))
        moves = without_empty_lines(optional_layer(own, "moves", free.copy(), part))
        canvas = taken.copy()
        marks = without_empty_lines(own.marks(canvas, state))
        fights = without_empty_lines(optional_layer(own, "fights", canvas, part))
        drawn = [line for text in (moves, fights) for line in text.split("\n") if line]
        yield Frame(f"{lands}\n{moves}", f"{marks}\n{fights}", drawn)


def empty_canvas(texts: Texts) -> Canvas:
    """A canvas with the room that the ground takes: names keep off the board's lines, pieces off the ways gone."""
    canvas = ground(texts).canvas.copy()
    canvas.lines = [0] * len(canvas.lines)
    return canvas


def svg_of(rulebook: Rulebook[Any], layers: Layers) -> str:
    """The SVG of a map: the ground and the layers on it; empty for a game without places."""
    texts = texts_of(rulebook)
    if not macros(texts, OWN).places:
        return ""
    frame = environment(texts).get_template("picture.svg.j2")
    return str(frame.render(base=ground(texts), layers=layers)).strip() + "\n"


@cached_in_texts
def ground(texts: Texts) -> Ground:
    """A game's ground, drawn once for all commands."""
    return cached_on_disk("grounds", texts, draw_ground)


def draw_ground(texts: Texts) -> Ground:
    """Draws a game's ground."""
    own = macros(texts, OWN)
    window = getattr(own, "window", None)
    canvas = Canvas(own.places, Window(**window) if window else None)
    shore = without_empty_lines(optional_layer(own, "shore", canvas))
    drawn = [without_empty_lines(layer) for layer in (own.ground(canvas), own.names(canvas))]
    style, defs = (
        without_empty_lines(optional_layer(own, "style")),
        without_empty_lines(optional_layer(own, "defs", canvas)),
    )
    return Ground(canvas, style, defs, canvas.coast(), shore, *drawn)


@cached_in_texts
def legend(texts: Texts, players: tuple[Player, ...], people: tuple[tuple[Player, str], ...] = ()) -> str:
    """What the signs mean, and the players' colours at this table, with people's names; drawn once in a process."""
    canvas = ground(texts).canvas.copy()
    canvas.players, canvas.people = players, dict(people)
    return without_empty_lines(optional_layer(macros(texts, OWN), "legend", canvas))


def optional_layer(own: Any, layer: str, *given: Any) -> Any:
    """A layer that a game's map may leave out."""
    macro = getattr(own, layer, None)
    return macro(*given) if macro is not None else ""


def without_empty_lines(text: Any) -> str:
    """Elements without the template's empty lines and the spaces between them."""
    return Markup("\n".join(line for each in str(text).splitlines() if (line := each.strip())))

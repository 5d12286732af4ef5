"""Maps: a redacted position, and what has happened since the one before, as a picture.

A game brings `map.svg.j2`: `places`, all places of its board, and macros that draw on a canvas, from the lowest layer
to the highest: `ground`, what lies under all; `moves`, the ways gone; `names`; `marks`, the position; `fights`; and
`legend`, the signs, of the players in `chart.players` alone. `style` is how its own signs look, `text` the picture in
words. Ground and names never change, so they are drawn once, and the legend once for a table. A game that has nothing
to draw there leaves `moves`, `fights`, `legend` or `style` out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from adjudicator.engine.library.texts import Texts, kept, texts_of
from adjudicator.engine.report.canvas import Canvas
from adjudicator.engine.report.template import environment, macros
from adjudicator.engine.table.event import Event, Player
from adjudicator.engine.table.rulebook import Rulebook

Followed = Sequence[tuple[Event[Any], Any]]
"""Events as a reader may know them, each with the position before it (`event.followed`)."""
OWN = "map.svg.j2"


class Picture(Struct, frozen=True):
    """A map: the whole SVG, which needs nothing else, and in words what it shows."""

    svg: str
    text: str


class Layers(Struct, frozen=True):
    """What changes on a map from phase to phase, an element a line, under the names and over them; and in words.

    The legend is the same in all phases of a match.
    """

    under: str
    over: str
    text: str
    legend: str


class Ground(Struct, frozen=True):
    """What never changes on a game's map, and the canvas with the room that it takes."""

    canvas: Canvas
    style: str
    land: str
    ground: str
    names: str


def picture(rulebook: Rulebook[Any], state: Any, told: Followed = ()) -> Picture:
    """The map of a position, with the moves and fights of what is told; both as one reader may know them."""
    drawn = layers(rulebook, state, told)
    return Picture(whole(rulebook, drawn), drawn.text)


def layers(rulebook: Rulebook[Any], state: Any, told: Followed = ()) -> Layers:
    """What stands on the ground in a position, and what has happened."""
    texts = texts_of(rulebook)
    own, canvas = macros(texts, OWN), ground(texts).canvas.copy()
    under = lined(optional(own, "moves", canvas, told))
    over = lined(f"{own.marks(canvas, state)}\n{optional(own, 'fights', canvas, told)}")
    text = " ".join(str(own.text(state, told)).split())
    return Layers(under, over, text, legend(texts, tuple(state.players)))


def whole(rulebook: Rulebook[Any], layers: Layers) -> str:
    """The SVG of a map: the ground and what stands on it."""
    texts = texts_of(rulebook)
    frame = environment(texts).get_template("picture.svg.j2")
    return str(frame.render(base=ground(texts), layers=layers)).strip() + "\n"


@kept
def ground(texts: Texts) -> Ground:
    """A game's ground, drawn once in a process."""
    own = macros(texts, OWN)
    canvas = Canvas(own.places)
    drawn = [lined(layer) for layer in (own.ground(canvas), own.names(canvas))]
    return Ground(canvas, lined(optional(own, "style")), canvas.coast(), *drawn)


@kept
def legend(texts: Texts, players: tuple[Player, ...]) -> str:
    """What the signs mean, and whose colours are whose at this table; drawn once in a process."""
    canvas = ground(texts).canvas.copy()
    canvas.players = players
    return lined(optional(macros(texts, OWN), "legend", canvas))


def optional(own: Any, layer: str, *given: Any) -> Any:
    """A layer that a game's map may leave out."""
    macro = getattr(own, layer, None)
    return macro(*given) if macro is not None else ""


def lined(text: Any) -> str:
    """Elements without the empty lines and the spaces between which a template wrote them."""
    from markupsafe import Markup

    return Markup("\n".join(line for each in str(text).splitlines() if (line := each.strip())))

"""What yaml-language-server offers and marks in the players' forms; run by `make editor`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from adjudicator.engine.play.position import write_position
from adjudicator.engine.sheets.published import ORDERS, published_schemas
from adjudicator.engine.text.resources import folder
from tests.editor.client import MARK, Editor
from tests.editor.forms import BUILT, LATER, Handed, all_forms, hand_out, shipyard
from tests.engine.report.test_form import filled_in
from tests.rulebooks.mediterranee_match import PLAYERS, RULEBOOK, steps

RANDOM_SHEETS = 20
"""So many sheets of random good orders for every form."""
VERBS = {phase.name: sorted(phase.verbs) for phase in RULEBOOK.phases}
GOODS = ["cloth", "gems", "gold", "iron", "spices", "wine", "wood"]
HEAD = ["later", "ready", "salt", "standing"]
BUY = ["at", "else", "for", "from", "if", "price", "quantity", "to", "what `buy` needs"]
PRICE = ["ask", "at", "floor", "for", "good"]
NEAR = ["corfu", "creta", "cyrena", "ionio", "modon", "napoli", "ragusa"]
REACH = [*NEAR, "salonica", "sicilia", "sirte", "tirreno", "tripoli", "tunis"]

OFFERED = {  # in the market of turn 2, of Venice: venice-1 at Sicilia, its own port, beside genoa-1
    f"  - {MARK}": VERBS["market"],
    f"  - b{MARK}": VERBS["market"],
    f"  - {{{MARK}}}": VERBS["market"],
    f"  - buy: {MARK}": GOODS,  # a deal may be over any good
    f"  - buy: wine\n    {MARK}": BUY,
    f"  - buy: wine\n    a{MARK}": BUY,
    f"  - buy: wine\n    at: {MARK}": ["sicilia"],
    f"  - buy: wine\n    to: {MARK}": ["venice-1"],
    f"  - buy: wine\n    from: {MARK}": ["genoa"],
    f"  - buy: wine\n    quantity: {MARK}": ["1", "2"],
    f"  - {{buy: wine, at: {MARK}}}": ["sicilia"],
    f"  - buy: wine\n    price:\n      {MARK}": ["limit", "offer"],
    f"  - sell: {MARK}": ["wine"],
    f"  - enlist: {MARK}": ["1"],
    f"  - enlist: 1\n    at: {MARK}": ["sicilia"],
    f"  - enlist: 1\n    to: {MARK}": ["sicilia", "venice-1"],
    f"  - build: {MARK}": [],  # nothing can be built
    f"  - transfer:\n      {MARK}": ["sailors"],
    f"  - jettison:\n      {MARK}": ["wine"],
    f"  - jettison: {{wine: 1}}\n    from: {MARK}": ["venice-1"],
    f"  - buy: wine\n    else:\n      - {MARK}": VERBS["market"],
    f"  - buy: wine\n    else:\n      - enlist: 1\n        at: {MARK}": ["sicilia"],
    f"  - buy: wine\n    if:\n      genoa-1:\n        {MARK}": [
        "holds",
        "in",
        "least",
        "most",
        "owner",
        "there",
    ],
    f"  - buy: wine\n    if:\n      genoa-1:\n        owner: {MARK}": sorted([*PLAYERS, "nobody"]),
}
BELOW = {  # in the same form, at its end
    f"{MARK}": HEAD,
    f"standing:\n  {MARK}": ["deals", "defence", "passage", "prices"],
    f"standing:\n  prices:\n    - {MARK}": PRICE,
    f"standing:\n  prices:\n    - {{{MARK}}}": PRICE,
    f"standing:\n  prices:\n    - for: {MARK}": sorted(PLAYERS),
    f"standing:\n  prices:\n    - good: {MARK}": GOODS,
    f"standing:\n  passage:\n    - grant: {MARK}": ["false", "true"],
    f"standing:\n  defence:\n    - victory: {MARK}": ["capture", "sink"],
    f"standing:\n  defence:\n    - keep: [{MARK}]": GOODS,
    f"later:\n  {MARK}": ["combat", "landing", "movement", "sale"],
    f"later:\n  sale:\n    orders:\n      - {MARK}": ["sell"],
    f"later:\n  sale:\n    orders:\n      - sell: {MARK}": GOODS,
}
MOVING = {  # in the movement of turn 1, of Venice: both galleys at Venezia, with 3 and 4 sailors
    f"  - {MARK}": ["move"],
    f"  - move: {MARK}": ["venice-1", "venice-2"],
    f"  - move: venice-1\n    via: [{MARK}]": REACH,
    f"  - move: venice-1\n    via: [ragusa, {MARK}]": REACH,
    f"  - move: venice-1\n    via:\n      - {MARK}": REACH,
    f"  - move: venice-1\n    via:\n      - ragusa\n      - {MARK}": REACH,
}
SHIPYARD = {
    f"  - build: {MARK}": ["galley"],
    f"  - build: galley\n    at: {MARK}": ["venezia"],
    f"  - build: galley\n    crew:\n      {MARK}": ["enlist", "venezia", "venice-1", "venice-2"],
}
MISTAKES = {
    "  - boy: wine": "it must begin with one of: buy, sell,",
    "  - buy": 'Expected "an order"',
    "  - {}": "it must begin with one of: buy, sell,",
    "  - buy: wien\n    to: venice-1": "one of these is needed: gems, gold,",
    "  - buy: wine": 'Missing property "to"',
    "  - buy: wine\n    to: venice": "the name of a galley is needed; possible now: venice-1",
    "  - buy: wine\n    to: venice-1\n    fro: genoa": "Property fro is not allowed",
    "  - sell: wine\n    to: genoa\n    from: venice-1\n    quantity: two": "a whole number from 1 is needed",
    "  - buy: wine\n    to: venice-1\n    price: 300": 'Expected "mapping"',
    "  - buy: wine\n    to: venice-1\n    price: {offer: 150}": "not divisible by 100",
    "  - buy: wine\n    to: venice-1\n    else: {enlist: 1}": 'Expected "array"',
    "  - buy: wine\n    to: venice-1\n    if: {genoa-1: {inn: corfu}}": "Property inn is not allowed",
    "  - jettison: {whine: 1}\n    from: venice-1": "Property whine is not allowed",
}
PUBLISHED = {  # what the schemas that know no position say otherwise
    "  - buy: wien\n    to: venice-1": 'Valid values: "gems", "gold"',
    "  - buy: wine\n    to: venice": "the name of a galley is needed",
}
MISTAKES_BELOW = {
    "standing: {price: []}": "Property price is not allowed",
    "standing: {prices: [{for: genova}]}": 'Valid values: "venice", "genoa"',
    "standing: {passage: [{grant: perhaps}]}": 'Expected "boolean"',
    "later: {market: {orders: []}}": "Property market is not allowed",
    "read: false": "Property read is not allowed",
}


def offers(editor: Editor, file: Path, text: str, wanted: list[str], where: str) -> Iterator[str]:
    """Does the editor offer just that?"""
    found = sorted(editor.offered(file, text))
    if found != wanted:
        yield f"at {where!r}: offered {found}, wanted {wanted}"


class Marks:
    """Texts shown to the editor all at once, each under a name of its own: it waits a while before it marks one."""

    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        self.shown: list[tuple[Path, str, str]] = []

    def show(self, file: Path, text: str, where: str, wanted: str = "") -> None:
        """Shows a text as if it lay beside the file; `wanted` is what the editor must say, nothing if empty."""
        own = file.with_name(f"{len(self.shown)}.yaml")
        self.editor.show(own, text)
        self.shown.append((own, where, wanted))

    def wrong(self) -> Iterator[str]:
        """Where the editor didn't say what it must."""
        for file, where, wanted in self.shown:
            found = self.editor.problems(file)
            if bool(found) != bool(wanted) or not any(wanted in each for each in found or [""]):
                yield f"in {where!r}: marked {found}, wanted {wanted or 'no mark'}"


def of_every_form(editor: Editor, marks: Marks, form: Handed) -> Iterator[str]:
    """Nothing that is good is marked; an order's verbs are offered with what they are for, and the keys of a sheet."""
    where, phase = str(form.file.parent), form.view.phase.name
    marks.show(form.file, form.text, where)
    marks.show(form.file, filled_in(form.text), f"{where}, examples taken")
    for number in range(RANDOM_SHEETS):
        text = form.at_random(number)
        if not form.accepted(text):
            yield f"{where}: the orders tried are not good: {text}"
        marks.show(form.file, text, f"{where}, random orders {number}")
    at = form.with_orders(f"  - {MARK}")
    yield from offers(editor, form.file, at, VERBS[phase], where)
    for verb, item in editor.offered(form.file, at).items():
        if not item.get("documentation"):
            yield f"{where}: {verb} isn't explained"
    keys = HEAD if phase != "sale" else [key for key in HEAD if key != "later"]
    yield from offers(editor, form.file, f"{form.text}{MARK}", keys, where)


def of_published(editor: Editor, marks: Marks, top: Path, form: Handed) -> Iterator[str]:
    """The schemas that stand in the project serve a sheet written by hand, wherever it lies."""
    schema = folder("schemas") / RULEBOOK.key / ORDERS
    above = f"# yaml-language-server: $schema={schema.resolve().as_uri()}\nplayer: venice\nphase: market\norders:\n"
    file = top / "by hand.yaml"
    marks.show(file, f"{above}{BUILT}{LATER}", "published, a galley built")
    for orders, wanted in {**MISTAKES, **PUBLISHED}.items():
        marks.show(file, above + orders, orders, wanted)
    yield from offers(editor, file, f"{above}  - {MARK}", VERBS["market"], "published: -")
    yield from offers(editor, file, f"{above}  - buy: {MARK}", GOODS, "published: buy")
    yield from offers(editor, file, f"{above}  - buy: wine\n    {MARK}", BUY, "published: fields")
    for name in published_schemas(RULEBOOK):
        if name != "state.json":
            empty = f"# yaml-language-server: $schema={(schema.parent / name).resolve().as_uri()}\nplayer: spain\n"
            marks.show(top / f"{name}.yaml", empty, name)
    modeline = f"# yaml-language-server: $schema={(schema.parent / 'state.json').resolve().as_uri()}\n"
    for step in steps():
        for number, state in enumerate((step.before, form.view)):
            file = top / f"state-{step.before.phase.number}-{number}.yaml"
            marks.show(file, modeline + write_position(state), "state.json")


def of_table(editor: Editor, form: Handed, table: dict[str, list[str]]) -> Iterator[str]:
    """What is offered in orders."""
    for at, wanted in table.items():
        yield from offers(editor, form.file, form.with_orders(at), wanted, at)


def trial(editor: Editor, top: Path) -> Iterator[str]:
    """Everything that isn't as it must be."""
    marks = Marks(editor)
    forms = {(each.view.phase.number, each.me): each for each in all_forms(top)}
    for form in forms.values():
        yield from of_every_form(editor, marks, form)
    market, moving, yard = forms[9, "venice"], forms[4, "venice"], shipyard(top)
    yield from of_table(editor, market, OFFERED)
    for at, wanted in BELOW.items():
        yield from offers(editor, market.file, market.text + at, wanted, at)
    names = editor.offered(market.file, market.with_orders(f"  - buy: wine\n    if:\n      {MARK}"))
    if not {"sicilia", "genoa-1", "venice-1"} <= set(names):
        yield f"at if: offered {sorted(names)}"
    yield from of_table(editor, moving, MOVING)
    yield from of_table(editor, yard, SHIPYARD)
    if not yard.accepted(yard.with_orders(BUILT, LATER)):
        yield "the orders that build and load a galley are not good"
    marks.show(yard.file, yard.with_orders(BUILT, LATER), "a galley built and loaded")
    marks.show(market.file, market.with_orders(BUILT, LATER), "galleys not on the board")
    for orders, said in MISTAKES.items():
        marks.show(market.file, market.with_orders(orders), orders, said)
    for below, said in MISTAKES_BELOW.items():
        marks.show(market.file, f"{market.text}{below}\n", below, said)
    yield from of_published(editor, marks, top, market)
    yield from marks.wrong()


def tell(editor: Editor, top: Path, places: Iterable[str]) -> None:
    """Shows what is offered in the market of turn 2, for whoever wants to see it: `make editor AT='- buy: ┃'`."""
    state = next(step.before for step in steps() if step.before.phase.number == 9)
    form = hand_out(top, state, "venice", "shown")
    for place in places:
        orders = "  " + place.strip(" ").replace("\\n", "\n")
        for label, item in editor.offered(form.file, form.with_orders(orders)).items():
            text = item.get("documentation") or ""
            print(
                f"{label:<20} {item['insertText']!r:<24} {text['value'] if isinstance(text, dict) else text}"
            )


def main(program: str, places: list[str]) -> int:
    """Runs the trial; 1 if something isn't as it must be."""
    with TemporaryDirectory() as top, Editor(Path(program)) as editor:
        if places:
            tell(editor, Path(top), places)
            return 0
        wrong = list(trial(editor, Path(top)))
    print("\n".join(wrong) or "All as it must be: what the editor offers, and what it marks.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))

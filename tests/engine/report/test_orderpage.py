"""Pages for orders: whole, made from the player's view alone, and harmless with any names and notes."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b85decode
from html.parser import HTMLParser
from typing import Any

import pytest
from msgspec.structs import replace

from adjudicator.contract.secrets import varied
from adjudicator.engine.library.texts import game_texts, in_language, words
from adjudicator.engine.play.account import Finding, OrderAccount, Word
from adjudicator.engine.play.choices import choices_now
from adjudicator.engine.play.stops import asked_at
from adjudicator.engine.play.view import position_for
from adjudicator.engine.report import page_scripts
from adjudicator.engine.report.form import form_schema
from adjudicator.engine.report.map import Picture
from adjudicator.engine.report.orderpage import (
    DEFINITIONS,
    PART,
    PageFacts,
    answer_page,
    json_with_shared_parts,
    orders_page,
    without_editor_parts,
)
from adjudicator.engine.report.reader_facts import Extras, OrderReceived, OrdersReceived
from adjudicator.engine.report.template import script
from adjudicator.engine.sheets.published import json_of
from adjudicator.engine.sheets.schema import answer_schema
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.text.resources import folder
from adjudicator.rulebooks.mediterranee.questions import Pass
from tests.engine.written_match import Match
from tests.rulebooks.every_match import POSITIONS
from tests.rulebooks.mediterranee_match import MATCH as MEDITERRANEE

MAP = Picture('<svg class="map"><g data-name="venice-1"></g></svg>', "A map")
NASTY = "</script><script>alert(1)</script><!-- \"'& \u202e😀"
LONGEST = 195_000
"""Bytes of a page without its map."""


class Outline(HTMLParser):
    """The elements of a page with what they hold, and their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script":
            self.scripts[-1] += data


PAGES: dict[tuple[int, str], str] = {}
"""The pages of positions as they stand, by the position: both tests of all of them look at the same."""


def page_as_it_stands(match: Match, state: Any, who: str) -> str:
    """The page of one of POSITIONS, made once (they live as long as their list)."""
    key = (id(state), who)
    if key not in PAGES:
        PAGES[key] = page_of(match, state, who)
    return PAGES[key]


def page_of(match: Match, state: Any, who: str, **more: Any) -> str:
    rulebook, view = match.rulebook, position_for(match.rulebook, state, who)
    phase, *later = asked_at(rulebook, state.options, state.phase.name)
    choices = choices_now(phase, view, who, later)
    schema = form_schema(rulebook, view, choices.possible)
    return orders_page(PageFacts(rulebook, view, who, schema, MAP, Extras(**more)), choices)


def told(page: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the scripts are told: the schema and the data."""
    schema, data, *_ = Outline(page).scripts
    return unfolded(json.loads(schema)), unfolded(json.loads(data))


def unfolded(folded: dict[str, Any]) -> Any:
    """A value with its parts in their places again."""
    parts: list[Any] = []

    def within(value: Any) -> Any:
        if isinstance(value, list):
            return [within(each) for each in value]
        if not isinstance(value, dict):
            return value
        return parts[value[PART]] if PART in value else {key: within(each) for key, each in value.items()}

    for part in folded["parts"]:
        parts.append(within(part))
    return within(folded["whole"])


def market() -> Any:
    return next(step.before for step in MEDITERRANEE.steps() if step.before.phase.name == "market")


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
def test_a_page_is_whole_and_needs_nothing_else(match: Match, state: Any, who: str) -> None:
    page = page_as_it_stands(match, state, who)
    outline = Outline(page)
    schema, data = told(page)
    assert data["kind"] == state.phase.name and data["player"] == who
    assert set(data["purposes"][data["kind"]]) == {*match.rulebook.phase(state.phase.name).verbs}
    assert schema["definitions"]
    for tag, attributes in outline.tags:
        assert tag not in ("link", "img", "iframe", "object", "base")
        assert not {name for name in attributes if name.startswith("on") or name in ("src", "action")}
    assert re.search("default-src 'none'", page)
    assert not re.search(r"\beval\(|new Function|innerHTML", page)
    assert len(page.encode()) < LONGEST


@pytest.mark.parametrize(("match", "state", "who"), POSITIONS)
def test_a_page_tells_nothing_that_is_hidden(match: Match, state: Any, who: str) -> None:
    other = varied(match.rulebook, state, state, who)
    assert page_as_it_stands(match, state, who) == page_of(match, other, who)


def in_vain(why: Reason) -> OrderAccount:
    """The account of an order that would come to nothing."""
    return OrderAccount("1:1", Word.NOTHING, findings=(Finding("1:1", why, "error"),))


def test_names_do_no_harm() -> None:
    plain, nasty = (
        page_of(
            MEDITERRANEE,
            replace(market(), match=name),
            "venice",
            gm=name,
            due_text=name,
            ahead=name,
            sent=[
                OrdersReceived(
                    "sale",
                    name,
                    [OrderReceived({}, name, in_vain(Reason("MED-6.1", "not-possible", {"value": name})))],
                )
            ],
        )
        for name in ("lagoon", NASTY)
    )
    assert [tag for tag, _ in Outline(plain).tags] == [tag for tag, _ in Outline(nasty).tags]
    assert "alert" not in Outline(nasty).scripts[2]
    assert told(nasty)[1]["match"] == NASTY
    assert "<!--" not in nasty


AT_STOPS = [
    pytest.param(
        state,
        who,
        id=f"{state.phase.number}-{state.phase.name}-{who}",
        marks=() if who == state.phase.due[number % len(state.phase.due)] else pytest.mark.soak,
    )
    for number, state in enumerate(
        replace(step.before, options=replace(step.before.options, stops=("auction", "movement")))
        for step in MEDITERRANEE.steps()[1:]
    )
    for who in state.phase.due
]
"""Positions of a match that waits at two phases of a turn, and who is due in them; but for one in turn, in `soak`."""


@pytest.mark.parametrize(("state", "who"), AT_STOPS)
def test_a_page_asks_for_all_phases_up_to_the_next_stop(state: Any, who: str) -> None:
    page = page_of(MEDITERRANEE, state, who)
    phases = [phase.name for phase in asked_at(MEDITERRANEE.rulebook, state.options, state.phase.name)]
    parts = [attributes["data-part"] for _, attributes in Outline(page).tags if "data-part" in attributes]
    assert parts == (phases if phases[1:] else [])
    data = told(page)[1]
    assert data["asked"] == phases[1:] and [*data["ahead"]] == phases[1:]
    assert {"board", *(f"board-{name}" for name in phases[1:])} <= {
        attributes.get("id") for _, attributes in Outline(page).tags
    }
    assert len(page.encode()) < LONGEST


def test_a_stop_is_among_the_positions() -> None:
    sheets = {state.phase.name for state, _ in (each.values for each in AT_STOPS)}  # type: ignore[misc]
    assert {"setup", "auction", "movement"} <= sheets


def test_what_is_in_already_is_listed_by_phase_with_what_stands_against_it() -> None:
    sent = [
        OrdersReceived(
            "combat",
            "0009-t2-market",
            [
                OrderReceived(
                    {"attack": "turkey-1"},
                    "{attack: turkey-1}",
                    in_vain(Reason("MED-4.1", "none-possible")),
                ),
                OrderReceived({"attack": "<b>"}, "{attack: <b>}", OrderAccount("1:1", Word.DONE)),
            ],
        ),
        OrdersReceived("sale", "", []),
    ]
    page = page_of(MEDITERRANEE, market(), "venice", sent=sent)
    notice = re.search('id="sent".*?</section>', page, re.DOTALL)
    assert notice is not None
    text = " ".join(re.sub("<[^>]*>", "", notice[0]).split())
    assert (
        "Combat, with your sheet of Market, turn 2: {attack: turkey-1} nothing: nothing is possible" in text
    )
    assert "{attack: &lt;b&gt;}" in text and text.count(" nothing: ") == 1
    assert "as standing orders: you pass" in text
    assert told(page)[1]["sent"] == {"combat": [{"attack": "turkey-1"}, {"attack": "<b>"}]}
    assert re.findall(r'data-take="(\w+)"', notice[0]) == ["combat"], (
        "standing orders are changed in their own place"
    )
    assert 'id="sent"' not in page_of(MEDITERRANEE, market(), "venice")


def test_who_has_lost_a_piece_is_asked_once_more() -> None:
    page = page_of(MEDITERRANEE, market(), "venice", lost=["venice-1"], ahead="0009-t2-market")
    assert "You are asked once more" in page and "you have lost venice-1" in page
    assert "already sent orders" not in page


@pytest.mark.parametrize("of", page_scripts.PACKED, ids=lambda of: of.file)
def test_the_packed_scripts_are_those_of_today(of: page_scripts.Bundle) -> None:
    """Whoever changes a script runs `make schemas`; a page holds them packed, and the same on every machine."""
    packed = page_scripts.packed_scripts(of)
    assert packed, "make schemas"
    assert zlib.decompress(
        b85decode(packed.replace(",", "<")), -zlib.MAX_WBITS
    ).decode() == page_scripts.scripts(of)


def test_a_script_in_a_page_is_without_its_comments() -> None:
    text = str(script("orders.js"))
    assert text and not re.search(r"^(\s|//|/\*|\*)", text, re.MULTILINE)
    for path in sorted((folder("templates") / "pages").glob("[ot][ra][dp]*.js")):
        code = [
            line.split("//")[0]
            for line in path.read_text().splitlines()
            if not line.strip().startswith(("*", "/"))
        ]
        assert all(line.replace('"`"', "").count("`") % 2 == 0 for line in code), (
            f"{path.name}: a text on several lines"
        )


def test_the_gm_s_address_is_told_if_it_is_known() -> None:
    assert told(page_of(MEDITERRANEE, market(), "venice"))[1]["gm"] == ""
    assert told(page_of(MEDITERRANEE, market(), "venice", gm="gm@example.org"))[1]["gm"] == "gm@example.org"


def test_without_scripts_the_page_says_what_to_do() -> None:
    assert (
        "sheet.yaml"
        in re.search("<noscript[^>]*>(.*?)</noscript>", page_of(MEDITERRANEE, market(), "venice"))[1]
    )  # type: ignore[index]


def test_a_slim_schema_says_the_same_but_for_editors_messages() -> None:
    view = position_for(MEDITERRANEE.rulebook, market(), "venice")
    text = form_schema(MEDITERRANEE.rulebook, view, None).strip()
    short = json_with_shared_parts(without_editor_parts(text))
    assert len(short) < len(text) * 0.6
    assert with_places(unfolded(json.loads(short))) == without_messages(json.loads(text))


def with_places(part: Any) -> Any:
    """A slim schema that points to its definitions as any schema does."""
    if isinstance(part, list):
        return [with_places(each) for each in part]
    if not isinstance(part, dict):
        return part
    found = {key: with_places(value) for key, value in part.items()}
    return found | ({"$ref": DEFINITIONS + found["$ref"]} if isinstance(found.get("$ref"), str) else {})


@pytest.mark.parametrize(
    "value", [{}, [], "", [["a long text that comes again"] * 3], {"a": {"b": [1, 2, 3, 4, 5, 6, 7, 8, 9]}}]
)
def test_a_folded_value_is_the_same_unfolded(value: Any) -> None:
    twice = [value, {"again": value}, value]
    assert unfolded(json.loads(json_with_shared_parts(twice))) == twice


def without_messages(part: Any) -> Any:
    if isinstance(part, list):
        return [without_messages(each) for each in part]
    if not isinstance(part, dict):
        return part
    return {
        key: without_messages(value)
        for key, value in part.items()
        if key != "errorMessage" and not (key == "title" and isinstance(value, str))
    }


def test_the_page_for_an_answer_asks_what_is_asked() -> None:
    view = position_for(MEDITERRANEE.rulebook, market(), "genoa")
    question = Pass("venice-1", "venice", "ionio", 2)
    schema = json_of(answer_schema(MEDITERRANEE.rulebook))
    page = answer_page(
        PageFacts(MEDITERRANEE.rulebook, view, "genoa", schema, MAP, Extras("Sunday")), question
    )
    data = told(page)[1]
    assert data["answer"] == {"verb": "passage", "fixed": {"passage": "venice-1", "in": "ionio"}}
    assert data["verbs"] == {"passage": 2}
    assert "wants to go on from" in page and "Until </span>Sunday" in page
    assert 'id="salt"' not in page and 'id="pasted"' not in page


def test_in_french_the_page_has_no_english_sentence() -> None:
    english, french = (words(game_texts("mediterranee", each))["orders_page"] for each in ("en", "fr"))
    changed = {key for key, text in english.items() if len(text) > 20 and french[key] != text}
    match = replace(MEDITERRANEE, rulebook=in_language(MEDITERRANEE.rulebook, "fr"))
    for status in ("standing", "passing", "idle"):
        page = page_of(match, market(), "venice", status=status, due_text="<dimanche>")
        assert french[status].split("**")[1] in page and "**" not in page.partition("<script")[0]
        assert not [key for key in changed if english[key] in page]
        assert "<dimanche>" not in page


def test_what_the_page_draws_on_the_map_looks_as_the_page_says() -> None:
    """No chart sets a variable, or styles a class, that the page's own layer on it uses."""
    templates = folder("templates")
    charts = [templates / "pages" / "map.css", *sorted(templates.glob("*/en/map.svg.j2"))]
    style = "\n".join(path.read_text(encoding="utf-8") for path in charts)
    rules = re.findall(
        r"^(?:\.map )?\.own.*", (templates / "pages" / "tap-made.css").read_text(), re.MULTILINE
    )
    used = {name for rule in rules for name in re.findall(r"var\((--[\w-]+)", rule)}
    assert {"--glow", "--own"} <= used
    assert used & {*re.findall(r"(--[\w-]+):", style)} == set()
    drawn = re.findall(
        r'class: [^}]*?"([\w -]+)', (templates / "pages" / "tap-drawn.js").read_text(encoding="utf-8")
    )
    classes = {name for each in drawn for name in each.split()}
    assert {"own", "glow", "chosen"} <= classes
    assert classes & {*re.findall(r"\.([a-z][\w-]+)(?=[ .,:{>])", style)} == set()


def test_a_page_knows_who_plays_the_other_seats() -> None:
    person = 'One "gm":"x" </script>'
    _, data = told(page_of(MEDITERRANEE, market(), "venice", people={"genoa": person}))
    assert data["people"] == {"genoa": person}
    assert data["gm"] == ""

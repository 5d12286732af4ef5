"""The texts that every game shares: every reason has a text, every text is used; the contract checks those of games."""

import re
from itertools import chain

import pytest

from adjudicator.contract.code import constants, numbers_in_words, reasons_given
from adjudicator.contract.texts import ENGINE, faults_of_sentences
from adjudicator.engine.library.languages import texts_in
from adjudicator.engine.library.texts import game_texts, say
from adjudicator.engine.table.reason import Reason
from adjudicator.engine.text.resources import folder

SHARED = texts_in(folder("templates") / "en" / "words.yaml")


def test_every_reason_of_the_engine_has_a_text_and_every_text_a_reason() -> None:
    used = {said.key for said in reasons_given(ENGINE)}
    assert used - set(SHARED["reasons"]) == set()
    assert len(used) > 30
    rooms = (ENGINE, *(ENGINE.parent / name for name in ("cli", "door", "page")))  # a view is opened there
    assert set(SHARED["reasons"]) - {*chain(*(constants(room, SHARED["reasons"]) for room in rooms))} == set()


def test_texts_are_one_sentence_without_a_full_stop_and_say_no_number_of_a_rule() -> None:
    assert list(faults_of_sentences(SHARED["reasons"])) == []
    assert list(numbers_in_words(SHARED)) == []


def test_every_text_of_the_page_for_orders_is_said_and_what_it_says_has_a_text() -> None:
    pages = folder("templates") / "pages"
    files = (path for names in ("orders*.js", "tap*.js", "engine.js") for path in sorted(pages.glob(names)))
    scripts = "".join(path.read_text(encoding="utf-8") for path in files)
    texts = {
        key.removeprefix("orders.")
        for key in texts_in(folder("templates") / "en" / "words.yaml")["pages"]
        if key.startswith("orders.")
    }
    named = set(re.findall(r'"([a-z]+(?:-[a-z]+)*)"', scripts))
    named |= {f"kind-{kind}" for kind in ("word", "number", "flag", "list", "mapping")}
    named |= {f"tap-more-{side}" for side in ("left", "right", "up", "down")} | {"yaml-other"}
    of_yaml = re.sub("[^A-Za-z]+", "-", (pages / "js-yaml.min.js").read_text(encoding="utf-8"))
    named |= {key for key in texts if key.startswith("yaml-") and key.removeprefix("yaml-") in of_yaml}
    named |= {f"{key}-one" for key in texts & named}  # of a count of one, as `say` finds it
    assert texts - named == set()
    assert set(re.findall(r'\b(?:say|wrong)\("([a-z-]+)"', scripts)) - texts == set()


@pytest.mark.parametrize(
    ("part", "template"), [("orders_page", "orders"), ("sealing", "sealing"), ("turn_mail", "mail-turn")]
)
def test_every_text_of_a_template_is_in_it(part: str, template: str) -> None:
    text = (folder("templates") / "en" / f"{template}.html.j2").read_text(encoding="utf-8")
    named = set(re.findall(r"\bown\.(\w+)", text))
    named |= {"standing", "passing"} if part == "orders_page" else set()
    endings = re.findall(r'own\[kind ~ "(\w+)"\]', text)
    named |= {f"{kind}{ending}" for kind in ("answer", "order") for ending in endings}
    if part == "turn_mail":
        plain = (folder("templates") / "en" / "mail-turn.txt.j2").read_text(encoding="utf-8")
        named |= set(re.findall(r"\bwords\.turn_mail\.(\w+)", plain))
    assert set(SHARED[part]) == named


def test_a_reason_says_what_would_be_possible() -> None:
    said = say(
        Reason("MED-2.1", "not-possible", {"value": "wien", "possible": ["wine"]}), game_texts("mediterranee")
    )
    assert said == "wien is not possible now (did you mean wine?); possible: wine"
    said = say(
        Reason("MED-0.6", "room", {"field": "quantity", "value": 3, "galley": "venice-1", "most": 2}),
        game_texts("mediterranee"),
    )
    assert said == "quantity: 3, but venice-1 has room for 2"

"""The rules as a page: every rule under its number, and nothing from elsewhere."""

import re

import pytest

from adjudicator.engine.library import registry
from adjudicator.engine.library.languages import known_languages
from adjudicator.engine.library.rules import rules_of
from adjudicator.engine.library.texts import in_language
from adjudicator.engine.report.rules_page import rules_page

MOST_BYTES = 120_000


@pytest.mark.parametrize("game", registry.OWN)
def test_every_rule_has_its_address_in_one_small_file(game: str) -> None:
    for language in known_languages(game):
        rulebook = in_language(registry.rulebook(game), language)
        page = rules_page(rulebook)
        assert re.findall(r'<li id="([A-Z]+-\d+\.\d+)">', page) == [*rules_of(rulebook)]
        assert {*re.findall(r'href="#([^"]+)"', page)} <= {*re.findall(r'\bid="([^"]+)"', page)}
        assert re.findall(r'(?:src|href)="(?!#)[^"]*"', page) == []
        assert len(page.encode()) < MOST_BYTES

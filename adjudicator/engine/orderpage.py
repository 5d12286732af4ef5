"""The page for orders, and the page for an answer: one file each, for a player who never opens an editor."""

from __future__ import annotations

from typing import Any

from adjudicator.engine.choices import Choices
from adjudicator.engine.drawing import Picture
from adjudicator.engine.event import Player
from adjudicator.engine.rulebook import Rulebook


def orders_page(  # noqa: PLR0913 - a page has as many parts
    rulebook: Rulebook[Any],
    view: Any,
    me: Player,
    *,
    schema: str,
    choices: Choices,
    picture: Picture,
    gm: str = "",
    due_text: str = "",
    ahead: str = "",
) -> str:
    """The page on which `me` clicks a sheet together.

    `schema` is the text of the form's `schema.json` (`form.form_schema`), `choices` what can be chosen
    (`choices.choices_now`), `picture` the map, `gm` the GM's mail address, if known.
    """
    return "<!doctype html><title>orders</title>\n"


def answer_page(
    rulebook: Rulebook[Any],
    view: Any,
    me: Player,
    question: Any,
    *,
    schema: str,
    picture: Picture,
    gm: str = "",
    due_text: str = "",
) -> str:
    """The page on which `me` answers a question; `schema` is the text of `answers.json`."""
    return "<!doctype html><title>answer</title>\n"

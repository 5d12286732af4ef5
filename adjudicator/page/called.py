"""The calls of a page: a name and JSON in, JSON out. The last view stays open, since the next call is about it too."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from adjudicator import __version__
from adjudicator.engine.folder.adjudication import missing_throw, text_of_unused_throws
from adjudicator.engine.library.texts import texts_of, words
from adjudicator.engine.match.trying_out import Impossible, guessed_position, suppose
from adjudicator.engine.play.known_file import write_known
from adjudicator.engine.play.left import Left, Name, State
from adjudicator.engine.play.position import write_position
from adjudicator.engine.report.markdown_html import html_of
from adjudicator.engine.report.page_scripts import BadLink, LinkContent, link_content, sealing_page
from adjudicator.engine.report.reader_facts import Extras
from adjudicator.engine.report.reader_texts import map_for
from adjudicator.engine.report.rules_page import rules_page
from adjudicator.engine.sheets.reading import folder_name
from adjudicator.engine.table.dice import OutOfDice
from adjudicator.engine.text.typed import decode
from adjudicator.page.foreseen import bot_sheets, lines_of, tries
from adjudicator.page.may_happen import what_may_happen
from adjudicator.page.opened import NotOpened, OpenView, opened
from adjudicator.page.suspected import NOTHING, suspecting, suspects


class PageCalls:
    """The calls of a page, each a method that takes and returns plain data."""

    def __init__(self) -> None:
        self.view: OpenView | None = None
        self.opened_by: tuple[str, Mapping[str, Any], str] = ("", {}, "")
        self.language = ""  # that of the link; without a link each view is told in its own

    def open_link(self, code: str) -> Mapping[str, Any]:
        """Opens the view in a link; see `open_content`. `{"why": key}` for a link that can't be opened."""
        try:
            return self.open_content(link_content(code))
        except BadLink as bad:
            return {"why": str(bad)}

    def open_view(self, text: str) -> Mapping[str, Any]:
        """Opens the text of a `view.yaml`."""
        return self.open_content(LinkContent(text))

    def open_content(self, content: LinkContent) -> Mapping[str, Any]:
        """The page of a view, its match, phase and player; or `{"problems": [...]}`. What was open before stays open
        then. `newer` is the version that wrote the view, if it is later than this one.
        """
        try:
            view = opened(
                content.view.encode(),
                language=content.language,
                question=content.question,
                known=content.known.encode(),
            )
        except NotOpened as bad:
            if content.program not in ("", __version__):
                return {"why": "link-version"}
            return {"problems": [msgspec.structs.asdict(each) for each in bad.problems]}
        page = view.page(Extras(due_text=content.due, gm=content.gm))
        if content.seal is not None:
            page = sealing_page(page, content.seal, texts_of(view.rulebook).language)
        self.view, self.opened_by = view, (content.view, content.question, content.known)
        self.language = content.language
        head = view.view.phase
        return {
            "page": page,
            "newer": content.program if numbers_in(content.program) > numbers_in(__version__) else "",
            "view": content.view,
            "question": content.question,
            "known": content.known,
            "match": view.view.match,
            "phase": folder_name(head),
            "player": view.me,
            "others": view.others(),
            "suspects": [msgspec.structs.asdict(each) for each in suspects(view)],
        }

    def look(
        self, view: str, text: str, question: Mapping[str, Any] = MappingProxyType({}), known: str = ""
    ) -> Any:
        """What the rules say about a sheet for the open view or another one, with its `known.yaml`; about an answer if
        there is a question. Raises NotOpened.
        """
        return self._view_of(view, known, question).look(text.encode())

    def choices(
        self,
        view: str,
        text: str,
        phase: str,
        subject: Name | None,
        verbs: Mapping[str, Sequence[str]],
        known: str = "",
    ) -> Any:
        """What can be chosen for a thing (`play/left.py`) beside the orders of a sheet, for the open view or another.
        Raises NotOpened.
        """
        named = {verb: tuple(fields) for verb, fields in verbs.items()}
        return self._view_of(view, known).choices(text.encode(), Left(phase, subject, named, State.OPEN))

    def advise(self, view: str, text: str, known: str = "") -> Mapping[str, Sequence[Any]]:
        """What the rulebook's bot would order after the orders of a sheet, by phase. Raises NotOpened."""
        seen = self._view_of(view, known)
        return {} if seen.rulebook.bot is None else seen.advised(text.encode(), seen.rulebook.bot)

    def foresee(
        self, view: str, text: str, known: str = "", guesses: Mapping[str, str] | None = None
    ) -> Mapping[str, Any]:
        """What a sheet would bring its player (`foreseen.py`), with the words of its heading, and what may happen to
        its orders (`may_happen.py`). Raises NotOpened.
        """
        seen = self._view_of(view, known)
        said, (then, may) = words(texts_of(seen.rulebook))["pages"], tries(seen, text, guesses)
        lines = lines_of(seen, then, may)
        told = [msgspec.structs.asdict(each) for each in lines]
        return {
            "heads": [said[f"foreseen.{key}"] for key in ("now", "then", "may")],
            "lines": told,
            "may": [msgspec.structs.asdict(each) for each in what_may_happen(seen, text, then, may)],
            "brief": said["foreseen.brief"].format(**told[0]) if lines else "",
            "as": said["foreseen.passing" if guesses is None else "foreseen.guessing"],
        }

    def guess(self, view: str, player: str, known: str = "") -> Mapping[str, Any]:
        """Another player's page and view, on a position that could be the real one. Raises NotOpened, Impossible."""
        found = self._view_of(view, known).guessed(player)
        written = write_position(found.view, texts_of(found.rulebook).language)
        return {"page": found.page(Extras()), "view": written, "known": "", "question": {}}

    def suspect(
        self,
        view: str,
        numbers: Mapping[str, int] = NOTHING,
        cards: Mapping[str, Sequence[str]] = NOTHING,
        known: str = "",
    ) -> Mapping[str, Any]:
        """What the player would know if these were certain, as the text of a `known.yaml`, and what else can be
        suspected then (`suspected.py`); `{"why": sentence}` for what can't be. Raises NotOpened.
        """
        seen = self._view_of(view, known)
        try:
            found = suspecting(seen, numbers, cards)
        except Impossible as error:
            return {"why": str(error)}
        return {
            "known": write_known(seen.rulebook, found, seen.view, seen.me),
            "suspects": [msgspec.structs.asdict(each) for each in suspects(seen, found)],
        }

    def rules(
        self, view: str, known: str = "", question: Mapping[str, Any] = MappingProxyType({})
    ) -> Mapping[str, Any]:
        """The page with the rules of the game of the open view or another one. Raises NotOpened."""
        return {"page": rules_page(self._view_of(view, known, question).rulebook)}

    def try_out(
        self,
        view: str,
        sheets: Mapping[str, str],
        throws: Sequence[Any] = (),
        seed: str = "",
        bots: bool = False,
        known: str = "",
    ) -> Mapping[str, Any]:
        """What might happen: the report as HTML, the map, the problems of these sheets, texts by player, and a sentence
        on throws that weren't used.

        `{"why": sentence}` for a throw, or a view, that can't be. Raises NotOpened.
        """
        seen = self._view_of(view, known)
        given = {f"{player}.yaml": text.encode() for player, text in sheets.items()}
        try:
            guess = guessed_position(seen.rulebook, seen.view, seen.me, seed, seen.known)
            others = bot_sheets(seen.rulebook, guess, seen.me, [*sheets], seed) if bots else {}
            more: dict[str, Any] = {"bots": others, "throws": throws, "seed": seed, "known": seen.known}
            found = suppose(seen.rulebook, seen.view, seen.me, given, **more)
        except OutOfDice as error:
            return {"why": missing_throw(error)}
        except Impossible as error:
            return {"why": str(error)}
        return {
            "report": str(html_of(found.report, {})),
            "map": map_for(seen.rulebook, found.facts).svg,
            "problems": [msgspec.structs.asdict(each) for each in found.problems],
            "unused": text_of_unused_throws(found.left) if found.left else "",
        }

    def _view_of(self, view: str, known: str, question: Mapping[str, Any] = MappingProxyType({})) -> OpenView:
        """The view with that text, question and `known.yaml`, opened if it isn't the one that is open."""
        if self.view is None or (view, question, known) != self.opened_by:
            self.view = opened(view.encode(), language=self.language, question=question, known=known.encode())
            self.opened_by = (view, question, known)
        return self.view


def numbers_in(version: str) -> tuple[int, ...]:
    """The numbers of a version, to be compared; none in a text that is no version."""
    found = re.match(r"(\d{1,4})\.(\d{1,4})\.(\d{1,4})", version)
    return tuple(map(int, found.groups())) if found else ()


_CALLED = PageCalls()
_DECODER: msgspec.json.Decoder[dict[str, Any]] = msgspec.json.Decoder(dict[str, Any])
CALLS: Mapping[str, Callable[..., Any]] = {
    "link": _CALLED.open_link,
    "view": _CALLED.open_view,
    "look": _CALLED.look,
    "advise": _CALLED.advise,
    "choices": _CALLED.choices,
    "foresee": _CALLED.foresee,
    "guess": _CALLED.guess,
    "suspect": _CALLED.suspect,
    "rules": _CALLED.rules,
    "try": _CALLED.try_out,
}


def call(name: str, values: str) -> str:
    """The answer to one call, as JSON; `values` is a JSON object of the call's parameters."""
    return msgspec.json.encode(CALLS[name](**decode(_DECODER, values.encode()))).decode()

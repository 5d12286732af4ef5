"""The calls of a page: a name and JSON in, JSON out. The last view stays open, since the next call is about it too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from adjudicator.engine.report.reader_facts import Extras
from adjudicator.engine.sheets.reading import folder_name
from adjudicator.page.links import BadLink, Letter, unpacked
from adjudicator.page.opened import NotOpened, Opened, opened


class Called:
    """What a page can ask, each a method that takes and returns plain data."""

    def __init__(self) -> None:
        self.view: Opened | None = None
        self.text = ""

    def open_link(self, code: str) -> Mapping[str, Any]:
        """Opens the view in a link; see `open_letter`. `{"why": key}` for a link that can't be opened."""
        try:
            return self.open_letter(unpacked(code))
        except BadLink as bad:
            return {"why": str(bad)}

    def open_view(self, text: str) -> Mapping[str, Any]:
        """Opens the text of a `view.yaml`."""
        return self.open_letter(Letter(text))

    def open_letter(self, letter: Letter) -> Mapping[str, Any]:
        """The page of a view, its match, phase and player; or `{"problems": [...]}`. What was open before stays open
        then.
        """
        try:
            view = opened(letter.view.encode())
        except NotOpened as bad:
            return {"problems": [msgspec.structs.asdict(each) for each in bad.problems]}
        page = view.page(Extras(due_text=letter.due, gm=letter.gm))
        self.view, self.text = view, letter.view
        head = view.view.phase
        return {
            "page": page,
            "view": letter.view,
            "match": view.view.match,
            "phase": folder_name(head),
            "player": view.me,
        }

    def look(self, view: str, text: str, phase: str = "") -> Any:
        """What the rules say of a sheet for a view, that which is open or another one. Raises NotOpened."""
        if view != self.text:
            self.view, self.text = opened(view.encode()), view
        assert self.view is not None
        return self.view.look(text.encode(), phase)


_CALLED = Called()
CALLS: Mapping[str, Callable[..., Any]] = {
    "link": _CALLED.open_link,
    "view": _CALLED.open_view,
    "look": _CALLED.look,
}


def call(name: str, values: str) -> str:
    """The answer to one call, as JSON; `values` is a JSON object of the call's parameters."""
    return msgspec.json.encode(CALLS[name](**msgspec.json.decode(values))).decode()

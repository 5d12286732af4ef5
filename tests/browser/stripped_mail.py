"""What a mail program leaves of a page: no styles, scripts, classes or pictures."""

from __future__ import annotations

from html import escape
from html.parser import HTMLParser

GONE = {"style", "script", "head", "svg", "noscript"}
KEPT = {"href", "border", "cellpadding", "cellspacing", "colspan", "rowspan", "scope", "open"}


def stripped(page: str) -> str:
    """The page as the body of a mail."""
    parser = Stripping()
    parser.feed(page)
    parser.close()
    return "<!doctype html><meta charset='utf-8'>" + "".join(parser.text)


class Stripping(HTMLParser):
    """Keeps texts and plain elements."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self.within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in GONE:
            self.within.append(tag)
        elif not self.within and tag not in ("img", "meta", "link"):
            kept = "".join(f' {name}="{escape(value or "")}"' for name, value in attrs if name in KEPT)
            self.text.append(f"<{tag}{kept}>")

    def handle_endtag(self, tag: str) -> None:
        if tag in GONE:
            if tag in self.within:
                while self.within.pop() != tag:
                    pass
        elif not self.within:
            self.text.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self.within:
            self.text.append(escape(data))

"""HTML as a browser reads it, as far as tests need."""

from __future__ import annotations

from html.parser import HTMLParser

EMPTY = {"meta", "img", "br", "link", "input", "hr"}


class Parsed(HTMLParser):
    """A page's elements with their attributes, in order, its visible text, and where tags don't match."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.astray: list[str] = []
        self.text = ""
        self.feed(str(page))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.astray.append(tag)

    def handle_data(self, data: str) -> None:
        if not {"style", "script", "title"} & set(self.open):
            self.text += data

    def of(self, *tags: str) -> list[dict[str, str]]:
        """The attributes of all elements of some kinds."""
        return [attributes for tag, attributes in self.elements if tag in tags]

    def levels(self) -> list[int]:
        """The levels of the headings, in order."""
        return [int(tag[1]) for tag, _ in self.elements if tag in ("h1", "h2", "h3", "h4", "h5", "h6")]

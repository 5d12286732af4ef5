"""Data that don't have the needed type: messages give the place, in words for whoever wrote the file."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import Struct

from adjudicator.engine.text.source import Source, read
from adjudicator.engine.text.typed import problem_of_type


class Inner(Struct, forbid_unknown_fields=True, rename="kebab"):
    host: str
    most_ports: int = 0


class Outer(Struct, forbid_unknown_fields=True):
    name: str
    inner: Inner | None = None
    others: tuple[Inner, ...] = ()
    words: tuple[str, ...] = ()
    addresses: dict[str, str] = {}
    open: bool = True


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("", (1, 1), "this is nothing, but must be keys with values"),
        ("[]\n", (1, 1), "this is a list, but must be keys with values"),
        ("open: true\n", (1, 1), "`name:` is missing"),
        ("name: a\nopen: maybe\n", (2, 7), "this is text, but must be `true` or `false`"),
        ("name: a\nwords: one\n", (2, 8), "this is text, but must be a list"),
        ("name: a\nwords: [one, 2]\n", (2, 14), "this is a whole number, but must be text"),
        (
            "name: a\nnames: b\n",
            (2, 1),
            "there is no key names, did you mean name?; there are name, inner, others, words, addresses, open",
        ),
        ("name: a\ninner: b\n", (2, 8), "this is text, but must be keys with values"),
        ("name: a\ninner:\n  most-ports: 1\n", (3, 3), "`host:` is missing"),
        (
            "name: a\ninner:\n  host: x\n  most_ports: 1\n",
            (4, 3),
            "there is no key most_ports, did you mean most-ports?; there are host, most-ports",
        ),
        (
            "name: a\ninner:\n  host: x\n  most-ports: y\n",
            (4, 15),
            "this is text, but must be a whole number",
        ),
        (
            "name: a\nothers:\n- host: x\n  post: y\n",
            (4, 3),
            "there is no key post, did you mean host?; there are host, most-ports",
        ),
        ("name: a\naddresses: {b: 1}\n", (2, 12), "this is a whole number, but must be text"),
    ],
)
def test_what_is_wrong_stands_at_its_place(text: str, place: tuple[int, int], said: str) -> None:
    source = read(text.encode(), "file.yaml")
    assert isinstance(source, Source)
    with pytest.raises(msgspec.ValidationError) as wrong:
        msgspec.convert(source.plain, Outer, strict=True)
    found = problem_of_type(source, Outer, wrong.value, "MAIL")
    assert (found.file, found.line, found.column, found.text) == ("file.yaml", *place, said)

"""Writing YAML: it reads back the same, looks as a person would write it, and quotes no more than it must."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from adjudicator.engine.text.source import Plain, Source, Unread, _not_printable, read
from adjudicator.engine.text.writing import WIDTH, _pattern_of_unprintable, as_comments, write

# fmt: off
NASTY = st.sampled_from([
    "no", "null", "~", "true", "True", "0", "-0", "012", "0x1F", "0o7", "1e3", ".5", "1.", ".inf", "-", "?",
    ":", "- a", "? a", ": a", "-a", "?a", ":a", "a: b", "a:", "a:b", "a #b", "a#b", "#a", "[a", "a]", "{a",
    "a}", "a,b", ",", "&a", "*a", "!a", "!!a", "%a", "@a", "`a", "'a", "\"a", "a'b", "a\"b", "a\\b", "\\",
    ">", "<<", "=", "---", "--- a", "---a", "...", "...a", " a", "a ", "  ", "1:30", "2024-05-01", "a\tb",
    "\t", "a\nb", "\n", "a\r\nb", "\x00", "\x1b[0m", "\x7f", "\x85", "\xa0", "\xa0a", "\u2028", "\u2029",
    "\ufeff", "\ufffe", "\uffff", "è", "🙂", "12345678901234567890", "1e999", "a?b", "a ? b", "a?", "??",
    "-?", "a -b", "a - b", "--", "a::b", "::", ":-", "a: ", "a:\tb", "a\t#b", "٣", "a, b", "a:,",
    "a:]", "a:?", "[:?",
    "$schema", "x@y.z", "", "|", "|a", "a\n\nb\n", " \n a", "a:\nb",
])
# fmt: on
TEXTS = NASTY | st.text(max_size=12) | st.text(alphabet=" \t\n-:?[]{},#&*!|>'\"%@`a0~\\.", max_size=8)
SCALARS = st.none() | st.booleans() | TEXTS | st.floats(allow_nan=False, allow_infinity=False)
NUMBERS = st.integers(min_value=1 - 10**18, max_value=10**18 - 1)
PLAIN: st.SearchStrategy[Any] = st.recursive(
    SCALARS | NUMBERS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=25,
)


def again(plain: Plain, comment: str = "", brackets_from: int = 2) -> Plain:
    """Write and read."""
    text = write(plain, comment, brackets_from)
    source = read(text.encode(), "x")
    assert isinstance(source, Source), (source, text)
    return source.plain


@given(PLAIN, st.text(max_size=20), st.integers(0, 4))
def test_reads_back_the_same(plain: Plain, comment: str, brackets_from: int) -> None:
    found = again(plain, comment, brackets_from)
    assert found == plain
    assert repr(found) == repr(plain)  # 1, 1.0 and True are equal, and so are keys in another order


@given(TEXTS, st.sampled_from([("key: ", "", 2), ("key: [", "]", 1)]))
def test_quotes_only_what_needs_them(text: str, place: tuple[str, str, int]) -> None:
    before, after, brackets_from = place
    plain: Plain = {"key": [text] if after else text}
    written = write(plain, brackets_from=brackets_from)
    seen = text.isprintable() and text == text.strip() and not text.startswith(("---", "..."))
    if text == "-":
        return  # other readers take it for a list's
    if seen and written != f"{before}{text}{after}\n":
        bare = read(f"{before}{text}{after}\n".encode(), "x")
        assert isinstance(bare, Unread) or repr(bare.plain) != repr(plain)


def test_what_python_calls_printable_is_neither_escaped_nor_refused() -> None:
    """So it needs no pattern to be told."""
    printable = "".join(char for char in map(chr, range(0x110000)) if char.isprintable())
    assert not _pattern_of_unprintable().search(printable)
    assert not _not_printable(f"{printable}\x85")  # which sends it through the pattern


def test_a_position_reads_well() -> None:
    position: Plain = {
        "match": "lagoon",
        "turn": 1,
        "options": {"skip": True, "pages": "off"},
        "players": ["venice", "genoa"],
        "galleys": {
            "venice-1": {"owner": "venice", "zone": "venezia", "sailors": 4, "cargo": []},
            "genoa-1": {"owner": "genoa", "zone": "mar ligure", "sailors": 3, "cargo": ["wine", "salt"]},
        },
        "offers": [],
        "log": {"long": ["a rather long text that fills the line"] * 3, "deep": {"a": {"b": {"c": 1}}}},
        "chain": None,
    }
    text = """\
# yaml-language-server: $schema=schema.json
# the position
match: lagoon
turn: 1
options:
  skip: true
  pages: off
players:
  - venice
  - genoa
galleys:
  venice-1: {owner: venice, zone: venezia, sailors: 4, cargo: []}
  genoa-1: {owner: genoa, zone: mar ligure, sailors: 3, cargo: [wine, salt]}
offers: []
log:
  long:
    - a rather long text that fills the line
    - a rather long text that fills the line
    - a rather long text that fills the line
  deep:
    a: {b: {c: 1}}
chain: null
"""
    assert write(position, "yaml-language-server: $schema=schema.json\nthe position") == text
    assert again(position) == position


def test_a_sheet_reads_well() -> None:
    orders: list[Plain] = [{"move": "venice-1", "via": ["ionio", "egeo"]}, {"buy": "wine"}]
    sheet: Plain = {"player": "venice", "orders": orders}
    assert write(sheet, brackets_from=3) == (
        "player: venice\norders:\n  - move: venice-1\n    via: [ionio, egeo]\n  - buy: wine\n"
    )
    assert write(sheet).endswith("orders:\n  - {move: venice-1, via: [ionio, egeo]}\n  - {buy: wine}\n")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        *[(text, text) for text in ("no", "1:30", "012", "2024-05-01", "it's", "a#b", "a:b", "-a", "🙂")],
        *[(text, f'"{text}"') for text in ("", "null", "true", "12", "1e3", " a", "a ", "a: b", "a #b")],
        *[("a\nb", '"a\\nb"'), ("\x07\u2028", '"\\x07\\u2028"')],
        *[('say "a"', 'say "a"'), ('"a"', '"\\"a\\""'), ("a, b", "a, b"), ("1" * 20, '"' + "1" * 20 + '"')],
    ],
)
def test_text_is_quoted_only_where_it_must_be(text: str, written: str) -> None:
    assert write({"key": text}) == f"key: {written}\n"
    assert write(text) == f"{written}\n"


def test_brackets_quote_their_own_signs() -> None:
    assert write([["a, b", "[a", "a}", "-a", "?a"]], brackets_from=1) == '- ["a, b", "[a", "a}", -a, "?a"]\n'
    assert write([[{"a,": "b"}]], brackets_from=1) == '- [{"a,": b}]\n'


def test_lines_in_brackets_fit() -> None:
    row: dict[str, Plain] = {"a": {"b": {"text": "x" * 81, "n": 1}}}
    fits, too_long = write(row), write({"a": {"b": {"text": "x" * 82, "n": 1}}})
    assert [len(line) for line in fits.splitlines()] == [2, WIDTH]
    assert too_long.splitlines()[1:] == ["  b:", "    text: " + "x" * 82, "    n: 1"]


@pytest.mark.parametrize("length", [998, 1000, 1022, 1024, 5000])
@pytest.mark.parametrize("value", [1, [1, [2]], {"a": 1, "b": {"c": {"d": {"e": [1]}}}}, []])
def test_long_keys_are_read_back_as_they_were(length: int, value: Plain) -> None:
    for key in ("k" * length, "é" * length, '"' * length):
        places: list[Plain] = [{key: value, "next": 1}, [{key: value}, 1], {"a": {"b": {key: value}}}]
        for plain in places:
            assert again(plain) == plain


def test_the_same_object_twice_is_written_twice() -> None:
    cargo: list[Plain] = ["wine"]
    assert again({"a": cargo, "b": cargo, "c": {"d": cargo, "e": cargo}}) == {
        "a": ["wine"], "b": ["wine"], "c": {"d": ["wine"], "e": ["wine"]},
    }  # fmt: skip


def nested(levels: int) -> Plain:
    """Lists in one another."""
    plain: Plain = 1
    for _ in range(levels):
        plain = [plain]
    return plain


def test_what_cannot_be_read_back_is_a_bug() -> None:
    assert again(nested(32)) == nested(32)
    bugs: list[Plain] = [nested(33), nested(5000), 10**18, -(10**18), float("inf"), float("nan"), "\ud800"]
    for bug in bugs:
        for brackets_from in (0, 2, 99):
            with pytest.raises(ValueError, match=r"level|digits|finite|surrogate"):
                write({"a": {"b": [bug]}}, brackets_from=brackets_from)


def test_comments_cannot_break_out() -> None:
    text = write({"a": 1}, 'one\r\ntwo\x85three\u2028four\x0bfive\x00\n\n# "six\\')
    assert text == '# one\n# two\n# three\n# four\n# five\\x00\n#\n# # "six\\\na: 1\n'


@pytest.mark.parametrize("text", ["", "a", "a\n\n", "\n", "\u00e8\n\n", "\r\n", "a\x0b\n\tb", "\u2028"])
def test_a_comment_has_as_many_lines_as_its_text(text: str) -> None:
    found = as_comments(text).splitlines()
    assert len(found) == len(text.splitlines()) and all(line.startswith("#") for line in found)

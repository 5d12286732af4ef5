"""Reading YAML: the meaning of scalars, the places of values, what is refused, and the messages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from adjudicator.engine.library.texts import game_texts, problem_of
from adjudicator.engine.text.problem import Problem
from adjudicator.engine.text.source import MOST_BYTES, MOST_VALUES, Mark, Plain, Source, Unread, read

SHEET = """\
player: venice
orders:
  - move: venice-1
    via: [ionio, "egeo"]
  -
"""


def good(text: str | bytes) -> Source:
    """Read what must be good."""
    source = read(text.encode() if isinstance(text, str) else text, "sheets/venice.yaml")
    assert isinstance(source, Source), source
    return source


def bad(text: str | bytes) -> Problem:
    """Read what must be refused."""
    unread = read(text.encode() if isinstance(text, str) else text, "sheets/venice.yaml")
    assert isinstance(unread, Unread), unread
    problem = problem_of(unread)
    assert problem.code == "YAML"
    assert not problem.text.endswith(".")
    return problem


@pytest.mark.parametrize(
    ("word", "meaning"),
    [
        *[(word, None) for word in ("", "~", "null", "Null", "NULL")],
        *[(word, True) for word in ("true", "True", "TRUE")],
        *[(word, False) for word in ("false", "False", "FALSE")],
        *[("0", 0), ("-0", 0), ("12", 12), ("+12", 12), ("-7", -7), ("0x1F", 31), ("0o17", 15)],
        *[("999999999999999999", 10**18 - 1), ("-999999999999999999", 1 - 10**18)],
        *[("1.5", 1.5), ("-.5", -0.5), ("3.", 3.0), ("1e3", 1000.0), ("1.5E-2", 0.015)],
        *[(word, word) for word in ("no", "yes", "off", "1:30", "2024-05-01", "012", "-01", "00", "01.5")],
        *[(word, word) for word in (".inf", ".nan", "1_000", "0x", "0o8", "-0x1", "0b1", "nULL", "+", ".")],
        *[('"12"', "12"), ("'null'", "null"), ('""', ""), ('"\\t\\u00e8"', "\tè"), ("<<", "<<"), ("=", "=")],
        *[("٣", "٣"), ("1٣", "1٣"), ("a b", "a b"), ("a:b", "a:b"), ("a#b", "a#b")],
    ],
)
def test_unquoted_words_mean_what_yaml_says(word: str, meaning: Plain) -> None:
    plain = good(f"key: {word}\n").plain
    assert plain == {"key": meaning}
    assert isinstance(plain, dict)
    assert type(plain["key"]) is type(meaning)


def test_keys_are_text() -> None:
    assert good("1: a\nnull: b\ntrue: c\n~: d\n1.0: e\n<<: {f: g}").plain == {
        "1": "a", "null": "b", "true": "c", "~": "d", "1.0": "e", "<<": {"f": "g"},
    }  # fmt: skip


@pytest.mark.parametrize("text", ["", "\n", "# x\n", "---\n", "\ufeff", "--- ~\n...\n", "%YAML 1.2\n---\n"])
def test_an_empty_file_is_read_as_nothing(text: str) -> None:
    assert good(text).plain is None


def test_every_value_and_key_has_its_place() -> None:
    source = good(SHEET)
    move = {"move": "venice-1", "via": ["ionio", "egeo"]}
    assert source.plain == {"player": "venice", "orders": [move, None]}
    assert source.mark(()) == Mark(1, 1)
    assert source.mark(("player",)) == Mark(1, 9)
    assert source.mark(("player",), key=True) == Mark(1, 1)
    assert source.mark(("orders",)) == Mark(3, 3)
    assert source.mark(("orders",), key=True) == Mark(2, 1)
    assert source.mark(("orders", 0)) == Mark(3, 5)
    assert source.mark(("orders", 0), key=True) == Mark(3, 5)
    assert source.mark(("orders", 0, "via"), key=True) == Mark(4, 5)
    assert source.mark(("orders", 0, "via", 1)) == Mark(4, 18)
    assert source.mark(("orders", 1)) == Mark(5, 4)


@pytest.mark.parametrize("key", [False, True])
def test_mark_of_what_is_not_there(key: bool) -> None:
    source = good(SHEET)
    assert source.mark(("standing",), key=key) == Mark(1, 1)
    assert source.mark(("orders", 0, "else", 3, "buy"), key=key) == Mark(3, 5)
    assert source.mark(("orders", 7), key=key) == Mark(3, 3)
    assert source.mark(("orders", -1), key=key) == Mark(3, 3)
    assert source.mark(("orders", "0"), key=key) == Mark(3, 3)
    assert source.mark(("player", 0), key=key) == Mark(1, 9)
    assert Source("state.yaml", {"a": 1}).mark(("a",), key=key) == Mark(0, 0)


def test_byte_order_mark_and_line_ends_do_no_harm() -> None:
    for text in ("\ufeff" + SHEET, SHEET.replace("\n", "\r\n"), "\ufeff" + SHEET.replace("\n", "\r")):
        assert good(text).plain == good(SHEET).plain
        assert good(text).mark(("orders", 0, "via", 1)) == Mark(4, 18)


def test_columns_count_characters() -> None:
    assert good("{è🙂: x}").mark(("è🙂",)) == Mark(1, 6)


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("a: 1\nb:\n  c: 1\n  c: 2\n", 4, 3, 'the key "c" stands here again; it was given in line 3'),
        ("1: a\n'1': b", 2, 1, "stands here again"),
        ("a: *b", 1, 4, "an alias"),
        ("a: *", 1, 4, "an alias"),
        ("*a : 1", 1, 1, "an alias"),
        ("a: &b c", 1, 4, "an anchor"),
        ("a: &b [c]", 1, 4, "an anchor"),
        ("&b a: 1", 1, 1, "an anchor"),
        ("a: !b c", 1, 4, "a tag"),
        ("a: !!str 1", 1, 4, "a tag"),
        ("a: ! 1", 1, 4, "a tag"),
        ("a: !b!c d", 1, 4, "a tag"),
        ("!b a: 1", 1, 1, "a tag"),
        ("%TAG !b! c:\n---\na", 1, 1, "tags aren't read"),
        ("a\n---\nb", 2, 1, "a second document"),
        ("a\n...\nb", 3, 1, "after the end of the data"),
        ("[a]: 1", 1, 1, "a key must be text"),
        ("? " + "[" * 40, 1, 3, "a key must be text"),
        ("a: 1234567890123456789", 1, 4, "too large for a number"),
        ("a: 0x" + "f" * 5000, 1, 4, "too large for a number"),
        ("a: 1e999", 1, 4, "too large for a number"),
        ("a: b\nc: \x07", 2, 4, "U+0007"),
        ("a: \x00", 1, 4, "U+0000"),
        ("a: b\ufeff", 1, 5, "U+FEFF"),
        ("a:\n\tb: 1", 2, 1, "a tab"),
        ("a: b\n  c: d", 2, 3, "this line is read as part of the value in line 1"),
        ("player: venice\norders\nready: true", 2, 1, "no ': ' follows this key"),
        (
            "a: [1, 2\nb: 3",
            1,
            4,
            "the bracket that opens here isn't closed in line 2: found ':', not ',' or ']'",
        ),
        ("a: {b: 1]", 1, 9, "found ']' where ',' or '}' was expected, in the mapping that begins at 1:4"),
        ("a: [1,", 1, 7, "found the end of the file"),
        ("a: [1,\n\n", 1, 7, "found the end of the file"),
        ("[", 1, 2, "found the end of the file where a value was expected"),
        ("a: 'b\nc: 1\n", 1, 4, "the quotes that open here aren't closed"),
        ("a: @b", 1, 4, "'@b' needs quotes"),
        ("a: - b", 1, 4, "a list entry '- ' can't begin here"),
        ("- a\nb: 1", 2, 1, "found 'b:' where '- ' was expected"),
        ("a: 1\n- b", 2, 1, "found '-' where a key of the mapping that begins at 1:1 was expected"),
        ('a: "\\q"', 1, 5, "a backslash"),
        ("%YAML 9.1\n---\na", 1, 1, "this isn't YAML"),
    ],
)
def test_yaml_that_is_not_allowed_is_refused_at_its_place(
    text: str, line: int, column: int, words: str
) -> None:
    problem = bad(text)
    assert (problem.file, problem.line, problem.column) == ("sheets/venice.yaml", line, column)
    assert words in problem.text


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [(b"a: b\nc: \xc3\xa8\xe8\n", 2, 5), (b"\xef\xbb\xbfa\r\n\xff", 2, 1), ("a: è".encode("utf-16"), 1, 1)],
)
def test_text_that_is_not_utf8_is_refused_at_its_place(text: bytes, line: int, column: int) -> None:
    problem = bad(text)
    assert (problem.line, problem.column) == (line, column)
    assert "isn't UTF-8" in problem.text


def test_a_file_above_the_size_limit_is_refused() -> None:
    text = b"- abcdef\n" * (MOST_BYTES // 9) + b"#" * (MOST_BYTES % 9)
    assert len(good(text).plain or []) == MOST_BYTES // 9  # type: ignore[arg-type]
    assert bad(text + b"\n").text == "the file is larger than 65536 bytes, and no more are read"
    assert isinstance(read(text * 2, "x", most=None), Source)
    assert isinstance(read(b"abc", "x", most=2), Unread)


def test_a_file_with_too_many_values_is_refused() -> None:
    for entry in ("a,", "[],", "{},", "[a],", "{a: b},"):
        inner = MOST_VALUES if entry in ("a,", "[],", "{},") else MOST_VALUES // 2
        text = f"[{entry * (inner - 1)}]"
        good(text)
        problem = bad(f"[{entry * (inner + 1)}]")
        assert problem.text == "the file holds more than 10000 values, and no more are read"
        assert isinstance(read(f"[{entry * (inner + 1)}]".encode(), "x", most=None), Source)


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a: ", "}"), ("- ", "")])
def test_a_file_with_too_many_levels_is_refused(opening: str, closing: str) -> None:
    good(opening * 32 + closing * 32)
    for levels in (
        33,
        15_000,
    ):  # of so many the parser itself may refuse the last, before it tells of the first
        problem = bad(opening * levels + closing * 33)
        assert "more than 32" in problem.text
        assert problem.column == 32 * len(opening) + 1
    assert bad("a:\n - " + "[" * 40).column == 4 + 30  # the mapping and the list come before


ATTACKS = """
import sys
from adjudicator.engine.text.source import Unread, read
for part in "[", "{", "- ", "? ", "- [", "{a: ", "? - ", "[?", "[a: ", "{[":
    for before in "", "a: ", "- ", "[", "{a: ", "- |\\n a\\n- ":
        for size in 30_000, 65_536, 1_000_000:
            attack = (before + part * size).encode()[:size]
            assert isinstance(read(attack, "x", most=None), Unread), (before, part)
for part in "[a,", ": ", "!", "&a ", "*", "%", "'", '"', "|", "a: ", "- a\\n", "- - a\\n", "#", "---\\n":
    for before in "", "a: ", "- ", "[", "{a: ", '"':
        read((before + part * 65_536).encode()[:65_536], "x")
for i in range(256):
    read(bytes([i]) * 65_536, "x")
print("alive")
"""


@pytest.mark.ci
def test_the_process_survives_brackets() -> None:
    root = Path(__file__).parents[3]
    command = [sys.executable, "-c", ATTACKS]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr, run.returncode) == ("alive\n", "", 0)


FRENCH = game_texts("", "fr")
SIGNS = st.text(alphabet=" \n\t-:?[]{},#&*!|>'\"%@`a0~\\.", max_size=60)


@given(st.binary(max_size=200) | SIGNS.map(str.encode))
def test_anything_is_read_or_refused(text: bytes) -> None:
    result = read(text, "x")
    if isinstance(result, Unread):
        lines = len(text.decode(errors="replace").splitlines())
        assert 1 <= result.slip.line <= lines + 1
        assert 1 <= result.slip.column <= len(text) + 1
        assert problem_of(result, FRENCH).text != problem_of(result).text

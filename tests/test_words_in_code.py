"""Players read no sentence that stands in code: all their words are in `templates/`, so they can be in any language.

A sentence in Python is a text of four words or more with one that English sentences are made of, in no docstring and
no error that is a bug; in a page's script, one in quotes. What only a GM, a programmer or a translator meets may be in
English; it stands in the files named here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.engine.text.resources import PACKAGE, folder

SMALL = {
    *("a", "an", "the", "this", "it", "its", "you", "your", "one", "no", "not", "here", "there"),
    *("and", "or", "but", "are", "be", "been", "can", "can't", "cannot", "comes", "doesn't", "has", "have"),
    *("is", "isn't", "must", "was"),
    *("at", "by", "for", "from", "in", "needed", "of", "on", "to", "with"),
}
"""Words without which hardly an English sentence does."""
ELSEWHERE = {
    "cli": "a terminal's commands, but for the answers of `check`, which come from templates",
    "contract": "authors of rulebooks and translators",
    "git": "the referee's machine, and commands in a repository",
    "gm": "GMs: their acts, schedules, leagues",
    "engine/audit": "who verifies a match with a command",
    "engine/beacon": "who sets up public dice",
    "engine/folder": "GMs, whose folder it is",
    "engine/library/languages.py": "GMs, whose group has words of its own",
    "engine/report/group_checks.py": "GMs, whose group has words of its own",
    "engine/report/group_templates.py": "GMs, whose group has words of its own",
    "engine/report/translated.py": "GMs, whose group has words of its own",
    "engine/library/registry.py": "authors of rulebooks",
    "engine/match": "GMs, who begin, run, undo and show matches",
    "engine/play/position.py": "GMs, whose hand-written positions are read",
    "engine/sheets/published.py": "programs, which read the published schemas",
    "engine/table": "authors of rulebooks, whose tables and boards are wrong",
    "engine/text/problem.py": "GMs, who write an unknown name in a command",
    "engine/text/syntax.py": "nobody: the YAML parser's own messages, by which ours are found",
    "engine/text/typed.py": "GMs, whose files have other types",
    "mail": "GMs, whose account and boxes it is; players' mails are templates",
    "door/games.py": "programmers, who call it",
    "door/match.py": "programmers, who call it",
    "door/seats.py": "programmers, who call it",
    "door/values.py": "programmers, who call it",
    "page/serving.py": "who starts `play` in a terminal",
}
"""Files and folders whose sentences players don't meet in reports, sheets, mails or pages; and who does."""


FOR_GMS = ("club.html.j2",)
"""Pages that only GMs open."""


def sentences_in_python(text: str) -> Iterator[tuple[int, str]]:
    """Each sentence in a module that may be shown, with its line."""
    found: list[tuple[int, str]] = []

    def look(node: ast.AST) -> None:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        if isinstance(node, ast.Raise | ast.Assert) and not _tells_a_user(node):
            return
        if isinstance(node, ast.JoinedStr):
            parts = [each.value if isinstance(each, ast.Constant) else "{}" for each in node.values]
            found.append((node.lineno, "".join(map(str, parts))))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append((node.lineno, node.value))
        for child in ast.iter_child_nodes(node):
            look(child)

    look(ast.parse(text))
    yield from (each for each in found if is_english(each[1]))


def _tells_a_user(node: ast.Raise | ast.Assert) -> bool:
    """Is it raised for whoever reads it, with problems, and not for a bug?"""
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return bool(names & {"Faulty", "Problem", "NotOpened", "Refused"})


def is_english(text: str) -> bool:
    """Does a text read as an English sentence?"""
    words = [word.strip(".,;:!?()'\"`").lower() for word in text.split()]
    if re.search(r"\(\?P|===", text):  # a pattern, or code
        return False
    return sum(bool(re.fullmatch(r"[a-z'’-]+", word)) for word in words) > 3 and bool(SMALL & {*words})


def sentences_in_script(text: str) -> Iterator[tuple[int, str]]:
    """Each sentence in quotes of a page's script, with its line; without comments."""
    text = re.sub(r"/\*.*?\*/", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
    for number, line in enumerate(text.splitlines(), start=1):
        code = re.sub(r"(^|\s)//.*", "", line)
        for found in re.finditer(r"\"([^\"]*)\"|'([^']*)'|`([^`]*)`", code):
            said = found[1] or found[2] or found[3] or ""
            if is_english(re.sub(r"\$\{[^}]*\}", "{}", said)):
                yield number, said


def modules() -> list[Path]:
    """The modules that players may meet sentences of."""
    every = sorted(PACKAGE.rglob("*.py"))
    inside = {path: path.relative_to(PACKAGE).as_posix() for path in every}
    return [
        path for path in every if not any(f"{inside[path]}/".startswith(f"{each}/") for each in ELSEWHERE)
    ]


def test_no_sentence_for_players_stands_in_python() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{line}: {said}"
        for path in modules()
        for line, said in sentences_in_python(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_no_sentence_for_players_stands_in_a_script() -> None:
    pages = folder("templates") / "pages"
    found = [
        f"{path.relative_to(pages)}:{line}: {said}"
        for path in sorted(pages.rglob("*.js"))
        if ".min." not in path.name
        for line, said in sentences_in_script(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def words_in_page(text: str) -> Iterator[str]:
    """The sentences that a page's or a picture's template has itself, in its text or in an attribute."""
    text = re.sub(r"\{#.*?#\}|<(style|script)\b.*?</\1>", "", text, flags=re.DOTALL)
    text = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "{}", text, flags=re.DOTALL)
    text = re.sub(r"<meta[^>]*>", "", text)
    attributes = re.findall(r"(?:title|alt|aria-label|data-[a-z]+)=\"([^\"]*)\"", text)
    yield from (each for each in (*attributes, *re.split(r"<[^>]*>", text)) if is_english(each))


def test_no_page_or_picture_has_words_of_its_own() -> None:
    found = [
        f"{path.name}: {said.strip()}"
        for path in sorted(folder("templates").rglob("*.j2"))
        if path.name.endswith((".html.j2", ".svg.j2")) and path.name not in FOR_GMS
        for said in words_in_page(path.read_text(encoding="utf-8"))
    ]
    assert found == []
    assert [*words_in_page("<p>{{ name }} has no orders for now</p>")]


@pytest.mark.parametrize("where", ELSEWHERE)
def test_what_is_left_out_is_there_and_has_sentences(where: str) -> None:
    path = PACKAGE / where
    files = [path] if path.is_file() else sorted(path.rglob("*.py"))
    assert any(any(sentences_in_python(each.read_text(encoding="utf-8"))) for each in files)


@pytest.mark.parametrize(
    "code",
    [
        'said = "the deadline is past"',
        'def told(name):\n    """What is told of it."""\n    return f"{name} has no orders yet"',
        'raise Faulty([Problem(name, 1, 1, "SHEET", "this is not your sheet")])',
    ],
)
def test_a_new_sentence_in_python_is_found(code: str) -> None:
    assert list(sentences_in_python(code))


@pytest.mark.parametrize(
    "code",
    [
        '"""What is told of a match."""',
        'raise ValueError(f"{name} is not a name")',
        'reason = Reason("SHEET", "not-a-sheet")',
        'KINDS = ("one of", "is")',
    ],
)
def test_docstrings_bugs_and_keys_are_no_sentences(code: str) -> None:
    assert list(sentences_in_python(code)) == []


def test_a_new_sentence_in_a_script_is_found() -> None:
    assert list(sentences_in_script("box.textContent = `There is no order ${name}.`;")) != []
    assert list(sentences_in_script("// There is no order here\nsay('no-order');")) == []

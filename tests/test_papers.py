"""README, `docs/` and docstrings are true: links, commands, files and names lead somewhere, and lists are complete."""

from __future__ import annotations

import ast
import builtins
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grimp
import msgspec
import pytest
from typer import BadParameter, Context, Exit
from typer.main import get_command

from adjudicator.cli import app
from adjudicator.engine.folder.entries import KINDS
from adjudicator.engine.folder.papers import Card, Closing, Opening, Secrets
from adjudicator.engine.library import registry
from adjudicator.engine.table.event import ENGINE_EVENTS
from adjudicator.engine.table.position import Options
from tests.conftest import FOR_CI, IN_BOTH

TOP = Path(__file__).parent.parent
PAPERS = sorted([*TOP.glob("*.md"), *TOP.glob("docs/**/*.md"), *TOP.glob("games/*.md")])
UsageError: Any = BadParameter.__mro__[1]
"""What a command raises for a call that it doesn't understand: Typer gives it no name of its own."""
NO_COMMAND = {"receipt", "chain"}
"""Words that follow the program's name in the texts that are hashed."""
MOST_LINES = {"README.md": 150, "CONTRIBUTING.md": 120}
WITHIN_OPENING = {"version", "undone", "taken", "lines", "dice", "files", "told"}
"""What `open.yaml` holds for this program alone: no other needs it."""


def text(name: str) -> str:
    return (TOP / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.name)
def test_every_link_leads_to_a_file_and_its_heading(paper: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", paper.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, heading = target.partition("#")
        file = (paper.parent / name) if name else paper
        assert file.exists(), target
        if heading:
            headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings}


def test_what_runs_where_is_written_down() -> None:
    """Each folder of tests stands in the table; what `make test` leaves to `make test-all` is there."""
    table = text("docs/develop.md").split("\n## Tests\n")[1].split("\n## ")[0]
    tests = TOP / "tests"
    folders = {path.relative_to(tests).parts[0] for path in tests.glob("*/**/test_*.py")}
    assert {each for each in folders if f"`tests/{each}/`" not in table} == set()
    assert [each for each in (*FOR_CI, *IN_BOTH) if not (tests / each).exists()] == []


def test_no_text_of_the_project_names_the_host_of_a_registry() -> None:
    """Where a package comes from is a matter of each machine's own settings."""
    kinds = ("*.md", "*.toml", "*.yml", "*.yaml", "*.j2", "*.py", "Makefile")
    folders = ("adjudicator", "templates", "examples", "docs", ".github", ".ci")
    texts = [each for kind in kinds for folder in folders for each in (TOP / folder).rglob(kind)]
    texts += [each for kind in kinds for each in TOP.glob(kind)]
    assert len(texts) > len(PAPERS)
    named = [
        each for each in texts if re.search(r"//[\w.-]*\b(pypi|npmjs)\.", each.read_text(encoding="utf-8"))
    ]
    assert named == []


def commands_in(paper: str) -> Iterator[list[str]]:
    """The calls of the program in a paper's code, each in words; those that leave out something (`...`) as well."""
    blocks = re.findall(r"^ *```(?!yaml|python)\w*\n(.*?)^ *```", paper, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    for line in [*lines, *re.findall(r"`([^`\n]+)`", paper)]:
        for call in re.split(r"&&|[;|>]| 2>| < ", line.split("    #")[0].strip()):
            found = re.search(r"(?:^|[ /'])adjudicator (?=[a-z-])(.*)", call)
            if found and found[1] not in NO_COMMAND:
                yield shlex.split(found[1].strip(" '").replace("'\\''", "'"), comments=True)


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.name)
def test_every_command_is_one_of_ours_with_its_options_and_arguments(paper: Path) -> None:
    """What stands in code is read as the program would read it, up to the values of its files."""
    group: Any = get_command(app)
    context = Context(group)
    for words in commands_in(paper.read_text(encoding="utf-8")):
        command, (name, *rest) = group.get_command(context, words[0]), words
        assert command is not None or name.startswith("-"), f"adjudicator {name}"
        if command is None:
            continue
        while hasattr(command, "commands") and rest and rest[0] in command.commands:
            command, rest = command.commands[rest[0]], rest[1:]
        if (
            not rest
            or "..." in rest
            or hasattr(command, "commands")
            or all(each.startswith("--") for each in rest)
        ):
            known = {option for each in command.params for option in each.opts} | {"--help"}
            assert {word for word in rest if word.startswith("--")} <= known, " ".join(words)
            continue
        try:
            command.make_context(name, [*rest])
        except UsageError as error:
            pytest.fail(f"{' '.join(words)}: {error}")
        except Exit:
            assert "--help" in rest


@pytest.mark.parametrize(("name", "most"), MOST_LINES.items())
def test_what_is_read_first_is_short(name: str, most: int) -> None:
    assert len(text(name).splitlines()) < most


def test_formats_names_every_kind_of_entry_and_event_with_its_fields() -> None:
    formats = text("docs/formats.md")
    for kind in KINDS:
        tag = kind.__struct_config__.tag
        row = next((line for line in formats.splitlines() if re.match(rf"\| .*`{tag}`", line)), "")
        assert row, tag
    for event in ENGINE_EVENTS:
        assert f"`{event.__name__}`" in formats


@pytest.mark.parametrize("paper", [Card, Secrets, Opening, Closing], ids=lambda kind: kind.__name__)
def test_formats_names_every_key_of_the_papers(paper: type) -> None:
    keys = {field.encode_name for field in msgspec.structs.fields(paper)} - WITHIN_OPENING
    assert not {key for key in keys if f"`{key}`" not in text("docs/formats.md")}


@pytest.mark.parametrize("game", registry.OWN)
def test_options_names_every_option(game: str) -> None:
    """Those of every game in the first table, a game's own in its own, and each list of stops that makes sense."""
    page, rulebook = text("docs/options.md"), registry.rulebook(game)
    every = {field.encode_name for field in msgspec.structs.fields(Options)}
    own = {field.encode_name for field in msgspec.structs.fields(rulebook.Options)} - every
    chapters = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE))
    rows = [("Every game", f"| `{name}` |") for name in sorted(every)]
    rows += [(rulebook.title, f"| `{name}` |") for name in sorted(own)]
    rows += [(rulebook.title, f"`{','.join(stops)}`") for stops in rulebook.stops]
    missing = [(title, row) for title, row in rows if row not in chapters.get(title, "")]
    assert missing == [], "docs/options.md lacks these in the tables with these titles"


def table_of(paper: str, heading: str) -> list[list[str]]:
    """The rows of the first table below a heading, without its head."""
    below = text(paper).split(f"## {heading}\n")[1]
    rows = [
        line.strip("|").split("|") for line in below.split("\n## ")[0].splitlines() if line.startswith("|")
    ]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def wing_of(module: str) -> str:
    """The wing that a module of the engine lies in; "" for others."""
    return module.split(".")[2] if module.startswith("adjudicator.engine.") else ""


def test_develop_says_which_wings_each_wing_imports() -> None:
    graph = grimp.build_graph("adjudicator", cache_dir=None)
    imported: dict[str, set[str]] = {}
    for module in filter(wing_of, graph.modules):
        found = {wing_of(each) for each in graph.find_modules_directly_imported_by(module)}
        imported.setdefault(wing_of(module), set()).update(found - {wing_of(module), "", "text", "table"})
    said = {
        wing.strip("`"): set(re.findall("`([a-z]+)`", others))
        for wing, _, others in table_of("docs/develop.md", "Wings")
    }
    assert said == imported


def test_every_part_of_the_program_is_named_to_contributors() -> None:
    parts = {path.parent.name for path in TOP.glob("adjudicator/*/__init__.py")}
    rows = table_of("CONTRIBUTING.md", "Where things are")
    assert parts <= set(re.findall(r"`adjudicator/([a-z]+)/", " ".join(row[0] for row in rows)))


def test_every_file_of_the_program_that_a_paper_names_is_there() -> None:
    files = [path for path in TOP.glob("adjudicator/**/*.py") if "rulebooks" not in path.parts]
    there = {f"{path.parent.name}/{path.stem}" for path in files}
    folders = "|".join({name.split("/")[0] for name in there})
    named = {
        f"{folder}/{name}"
        for paper in PAPERS
        if paper.name != "CHANGELOG.md"
        for folder, name in re.findall(
            rf"(?<![\w/.<>])({folders})/([a-z]\w*)(?:\.py)?(?![\w/.])", paper.read_text(encoding="utf-8")
        )
    }
    assert len(named) > 20
    assert named - there == set()


def test_what_a_wing_says_of_itself_names_its_own_files() -> None:
    """In the first lines of a package a plain word in backticks is a file or a name of it, or another wing."""
    for path in TOP.glob("adjudicator/**/__init__.py"):
        code = "".join(each.read_text(encoding="utf-8") for each in path.parent.glob("*.py") if each != path)
        there = {each.stem for folder in path.parents[:3] for each in folder.iterdir()}
        said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        named = set(re.findall(r"`([a-z_]+)`", said))
        gone = {name for name in named - there if not re.search(rf"(?m)^ *(?:def |class |){name}\b", code)}
        assert gone == set(), path


NO_CLASSES = {"CommonMark", "GitHub", "KiB", "OpenSSL", "PyYAML", "TestCarters"}
"""What is written like a class and is none of ours."""


def test_what_a_docstring_says_is_raised_and_every_class_it_names_is_there() -> None:
    """A class that was renamed is named by its new name everywhere."""
    known, named = {*dir(builtins), *NO_CLASSES}, list[tuple[str, str]]()
    for path in (TOP / "adjudicator").rglob("*.py"):
        code, *docstrings = split_at_docstrings(path.read_text(encoding="utf-8"))
        known |= set(re.findall(r"\b[A-Z]\w+", code))
        for said in docstrings:
            raised = re.findall(r"\bRaises ((?:`?[A-Z]\w+`?(?:,? and|,? or|,)?\s*)+)", said)
            words = {
                *re.findall(r"\b[A-Z]\w+", " ".join(raised)),
                *re.findall(r"\b[A-Z][a-z]+[A-Z]\w*", said),
            }
            named += [(str(path.relative_to(TOP)), word) for word in sorted(words)]
    assert len(named) > 100
    assert [f"{path}: {word}" for path, word in named if word not in known] == []


def split_at_docstrings(source: str) -> list[str]:
    """The code of a file without its docstrings and comments, and then its docstrings."""
    parts = source.split('"""')
    return [re.sub(r"(^|\s)#.*", "", "".join(parts[::2])), *parts[1::2]]

"""The published packages hold everything that is needed, and run without a checkout."""

import os
import subprocess
import sys
import tarfile
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

import adjudicator

TOP = Path(__file__).resolve().parent.parent
DATA = (
    ("schemas", "adjudicator/schemas"),
    ("templates", "adjudicator/templates"),
    ("adjudicator", "adjudicator"),  # rules.md, board.yaml, py.typed and whatever else lies beside the code
)
LEFT_OUT = {"__pycache__", ".DS_Store"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built("wheel", TOP, tmp_path_factory.mktemp("wheel"))


def built(kind: str, top: Path, into: Path) -> Path:
    """A wheel or sdist of the tree at `top`: hatchling in a process of its own, without a network."""
    pytest.importorskip("hatchling", reason="part of the extra `dev`")
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(into)]
    subprocess.run(command, cwd=top, check=True, capture_output=True)
    (package,) = into.iterdir()
    return package


def names_in(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_everything_of_the_program_is_in_the_wheel(wheel: Path) -> None:
    names = names_in(wheel)
    for folder, place in DATA:
        files = [f for f in (TOP / folder).rglob("*") if f.is_file() and not LEFT_OUT & set(f.parts)]
        assert files, f"{folder}/ is empty"
        missing = {f"{place}/{f.relative_to(TOP / folder).as_posix()}" for f in files} - names
        assert not missing


@pytest.mark.parametrize("file", ["rules.md", "board.yaml"])
def test_every_rulebook_of_the_wheel_has_its_rules_and_board(wheel: Path, file: str) -> None:
    names = names_in(wheel)
    inside = [name.split("/") for name in names if name.startswith("adjudicator/rulebooks/")]
    rulebooks = {game for _, _, game, *files in inside if files}
    assert rulebooks
    missing = {f"adjudicator/rulebooks/{r}/{file}" for r in rulebooks} - names
    assert not missing


def test_nothing_else_is_in_the_wheel(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in names_in(wheel)}
    assert tops == {"adjudicator", f"adjudicator_games-{adjudicator.__version__}.dist-info"}


@pytest.mark.soak
def test_a_wheel_made_from_the_sdist_is_the_same(wheel: Path, tmp_path: Path) -> None:
    sdist = built("sdist", TOP, tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Debian 12's Python may lack it
        archive.extractall(tmp_path)
    top = tmp_path / sdist.name.removesuffix(".tar.gz")
    assert names_in(built("wheel", top, tmp_path / "wheel")) == names_in(wheel)


@pytest.mark.skipif(sys.platform == "win32", reason="looks for bin/python")
def test_an_installed_wheel_lists_its_games_in_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    python = installed(wheel, tmp_path / "venv")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "mediterranee" in output(python.with_name("adjudicator"), "games", where=empty)

    program = (
        "import adjudicator; from adjudicator.engine.text.resources import folder\n"
        "print(adjudicator.__file__, folder('schemas'), folder('templates'), sep='\\n')"
    )
    for place in output(python, "-c", program, where=empty).splitlines():
        assert Path(place).is_relative_to(tmp_path / "venv")  # nothing comes from the checkout


def installed(wheel: Path, where: Path) -> Path:
    """The Python of a new environment that has the wheel, and the libraries of the one that runs this."""
    venv.create(where, with_pip=False, symlinks=True)
    python = where / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check", "install"]
    subprocess.run([*pip, "--quiet", "--no-deps", "--no-index", str(wheel)], check=True, env=bare())
    (site,) = where.glob("lib/python*/site-packages")
    # A folder named in a .pth file is searched last, and its own .pth files (editable installs) aren't read.
    libraries = [p for p in sys.path if p.endswith(("site-packages", "dist-packages"))]
    (site / "libraries.pth").write_text("\n".join(libraries) + "\n")
    return python


def output(*command: str | Path, where: Path) -> str:
    done = subprocess.run(command, cwd=where, env=bare(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def bare() -> dict[str, str]:
    """The caller's environment without what would lead Python back to the checkout."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PIP_REQUIRE"))}

"""`make release`: all that a release publishes: wheel, sdist, zip app, Windows folder, man pages, a page, sums."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent
from typing import Any

from typer.completion import get_completion_script
from typer.main import get_command

from adjudicator import __version__
from adjudicator.cli import COMPLETES, app

TOP = Path(__file__).resolve().parent.parent
DIST = TOP / "dist"
WINDOWS_PYTHON = "3.13"
"""The Python for Windows whose libraries the folder for Windows holds."""
SHELLS = {"bash": "adjudicator.bash", "zsh": "_adjudicator", "fish": "adjudicator.fish"}
START = 'import sys; from pathlib import Path; sys.path.insert(0, str(Path(__file__).parent / "lib"))\n'
READ_ME = """\
Adjudicator {version} for Windows

1. Download "Windows embeddable package (64-bit)" of Python {python} from python.org.
2. Unpack it into the folder "python" beside this file.
3. Open a command prompt in this folder and type: adjudicator --help

To play, see docs\\play.md and docs\\gm.md.
"""


def run(*command: str | Path, at: Path = TOP) -> None:
    """Runs a command; its failure ends the release."""
    subprocess.run(list(map(str, command)), cwd=at, check=True)


def lay_tree(top: Path, into: Path) -> None:
    """Lays the last commit of a checkout into a folder, and nothing else that lies there, such as a match with its
    seed.
    """
    archive = into / "tree.zip"
    run("git", "archive", "HEAD", "-o", archive, at=top)
    shutil.unpack_archive(archive, into)
    archive.unlink()


def packages(tree: Path) -> Path:
    """The sdist and the wheel, whose file is returned."""
    for kind in ("sdist", "wheel"):
        run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", DIST, at=tree)
    (wheel,) = DIST.glob("*.whl")
    return wheel


def zip_app(wheel: Path) -> None:
    """One file that runs on any machine of this kind with this Python: its libraries are in it."""
    here = f"{sys.platform}-py{sys.version_info.major}{sys.version_info.minor}"
    out = DIST / f"adjudicator-{__version__}-{here}.pyz"
    run(sys.executable, "-m", "shiv", "--reproducible", "-q", "-c", "adjudicator", "-o", out, wheel)


def for_windows(wheel: Path, docs: Path) -> None:
    """A folder that needs no installation: libraries for Windows, and where its Python goes."""
    folder = DIST / f"adjudicator-{__version__}-windows"
    # pip looks at this machine for what only Windows needs: colorama, for Typer.
    only = ("--platform", "win_amd64", "--python-version", WINDOWS_PYTHON, "--only-binary=:all:")
    run(sys.executable, "-m", "pip", "install", "-q", "--target", folder / "lib", *only, wheel, "colorama")
    shutil.rmtree(folder / "lib" / "bin", ignore_errors=True)
    (folder / "adjudicator.bat").write_bytes(b'@"%~dp0python\\python.exe" "%~dp0adjudicator.py" %*\r\n')
    (folder / "adjudicator.py").write_text(START + "from adjudicator.__main__ import main\n\nmain()\n")
    text = READ_ME.format(version=__version__, python=WINDOWS_PYTHON)
    (folder / "README.txt").write_bytes(text.replace("\n", "\r\n").encode())
    shutil.copytree(docs, folder / "docs")
    shutil.make_archive(str(folder), "zip", DIST, folder.name)
    shutil.rmtree(folder)


def commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """A command and those below it, each with its whole name."""
    yield name, command
    context = command.make_context(name, [], resilient_parsing=True)
    for each in getattr(command, "list_commands", lambda _: [])(context):
        yield from commands(command.get_command(context, each), f"{name} {each}")


def quoted(text: str) -> str:
    """Text as roff has it: a backslash, a hyphen or a dot at the beginning of a line is no command."""
    safe = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in safe.splitlines())


def man_page(name: str, command: Any) -> str:
    """The page of one command, from its own help."""
    context = command.make_context(name, [], resilient_parsing=True)
    help_text = dedent(command.help or "").strip()
    parts = [
        f'.TH "{name.upper().replace(" ", "-")}" 1 "" "adjudicator {__version__}" "User Commands"',
        f".SH NAME\n{quoted(name)} \\- {quoted(help_text.splitlines()[0].rstrip('.') if help_text else '')}",
        f".SH SYNOPSIS\n\\fB{quoted(name)}\\fR {quoted(' '.join(command.collect_usage_pieces(context)))}",
        ".SH DESCRIPTION\n" + "\n.PP\n".join(quoted(each) for each in help_text.split("\n\n")),
    ]
    known = [record for each in command.get_params(context) if (record := each.get_help_record(context))]
    if known:
        rows = (f".TP\n\\fB{quoted(head)}\\fR\n{quoted(text)}" for head, text in known)
        parts.append(".SH OPTIONS\n" + "\n".join(rows))
    return "\n".join(parts) + "\n"


def papers_of_the_system() -> None:
    """Man pages, and scripts for completion in shells, in an archive of their own."""
    folder = DIST / f"adjudicator-{__version__}-man-and-completion"
    (folder / "man1").mkdir(parents=True)
    for name, command in commands(get_command(app), "adjudicator"):
        (folder / "man1" / f"{name.replace(' ', '-')}.1").write_text(
            man_page(name, command), encoding="utf-8"
        )
    for shell, file in SHELLS.items():
        script = get_completion_script(prog_name="adjudicator", complete_var=COMPLETES, shell=shell)
        (folder / file).write_text(script + "\n", encoding="utf-8")
    shutil.make_archive(str(folder), "gztar", DIST, folder.name)
    shutil.rmtree(folder)


def main() -> None:
    """Builds all of it anew, from the last commit."""
    if ".dev" in __version__:
        print(
            f"version {__version__} is in the making: this builds it, but don't publish it", file=sys.stderr
        )
    shutil.rmtree(DIST, ignore_errors=True)
    with TemporaryDirectory() as folder:
        tree = Path(folder)
        lay_tree(TOP, tree)
        wheel = packages(tree)
        zip_app(wheel)
        for_windows(wheel, tree / "docs")
        papers_of_the_system()
        run(sys.executable, tree / ".ci" / "page" / "build.py")
        for made in (tree / "dist").iterdir():
            shutil.move(made, DIST)
    files = sorted(path for path in DIST.iterdir() if path.is_file())
    sums = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (DIST / "SHA256SUMS").write_text("".join(sums))
    for path in files:
        print(f"dist/{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

"""`make page`: the pack of which `adjudicator page` makes a folder for the web: Python, the program, its libraries.

Needs npm and node, and the package registries. `make page WHEELS='one.whl two.whl'` adds rulebooks of other people.
"""

from __future__ import annotations

import ast
import gzip
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from adjudicator import __version__

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
BUILD, DIST = TOP / "build" / "page", TOP / "dist"
PYODIDE = "pyodide@~314.0.7"
"""Python for browsers: 3.14."""
WHEEL = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14", "--only-binary=:all:")
MSGSPEC = "msgspec>=0.22,<0.23"
LIBRARIES = (
    "attr", "attrs", "jinja2", "jsonschema", "jsonschema_specifications", "markdown_it", "markupsafe", "mdurl",
    "referencing", "typing_extensions", "yaml",
)  # fmt: skip
"""What the program needs of others, all of it Python alone, from this environment."""
OURS = ("engine", "page", "rulebooks")
"""The parts of the program that a page needs."""
NEEDLESS = (HERE / "needless.txt").read_text(encoding="utf-8").split()
"""What no page needs of Python's library."""
EPOCH = (1980, 1, 1, 0, 0, 0)


def run(*command: str | Path) -> None:
    """Runs a command; its failure ends the build."""
    subprocess.run(list(map(str, command)), cwd=BUILD, check=True)


def fetched() -> Path:
    """Where Pyodide lies, taken with npm; the wheel of msgspec lies beside it."""
    run("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", BUILD, PYODIDE)
    run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", *WHEEL, "-d", BUILD / "wheels", MSGSPEC)
    return BUILD / "node_modules" / "pyodide"


def gathered(folder: Path, wheels: Iterable[Path]) -> None:
    """All modules but Python's own, with the program's data."""
    without = shutil.ignore_patterns(
        "__pycache__",
        "*.so",
        "*.pyi",
        "*.c",
        "py.typed",
        "tests",
        "cli",
        "cli.py",
        "serving.py",
        "relays.py",
    )
    for name in LIBRARIES:
        spec = find_spec(name)
        assert spec is not None and spec.origin is not None, name
        origin = Path(spec.origin)
        if origin.name == "__init__.py":
            shutil.copytree(origin.parent, folder / name, ignore=without)
        else:
            shutil.copy(origin, folder / origin.name)
    for wheel in (*(BUILD / "wheels").glob("*.whl"), *wheels):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    shutil.copy(HERE / "stand_ins" / "cyaml.py", folder / "yaml" / "cyaml.py")
    shutil.copy(HERE / "stand_ins" / "rpds.py", folder / "rpds.py")
    ours = folder / "adjudicator"
    for part in OURS:
        shutil.copytree(TOP / "adjudicator" / part, ours / part, ignore=without)
    shutil.copy(TOP / "adjudicator" / "__init__.py", ours)
    for data in ("schemas", "templates"):
        shutil.copytree(TOP / data, ours / data, ignore=shutil.ignore_patterns("__pycache__"))


def library(pyodide: Path, folder: Path) -> None:
    """Python's own modules, without what no page needs."""
    with zipfile.ZipFile(pyodide / "python_stdlib.zip") as archive:
        archive.extractall(folder)
    for pattern in NEEDLESS:
        for path in folder.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def missing(pyodide: Path, program: Path, modules: Path) -> set[str]:
    """Modules of Python's library that the program's modules import at once, and that were left out as needless."""
    with zipfile.ZipFile(pyodide / "python_stdlib.zip") as archive:
        whole = {name.removesuffix(".py").removesuffix("/__init__") for name in archive.namelist()}
    found = set()
    for path in program.rglob("*.py"):
        for node in ast.parse(path.read_bytes()).body:  # what stands in `try` or in a function may be missing
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module)
    wanted = {name.replace(".", "/") for name in found} & whole
    return {
        name for name in wanted if not (modules / f"{name}.py").exists() and not (modules / name).is_dir()
    }


def zipped(folder: Path, out: Path) -> None:
    """A folder as one archive that isn't packed (`squeezed` does that better), the same for the same files."""
    with zipfile.ZipFile(out, "w") as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            archive.writestr(zipfile.ZipInfo(path.relative_to(folder).as_posix(), EPOCH), path.read_bytes())


def squeezed(path: Path, out: Path) -> None:
    """A file, packed once for all servers: not every one does it itself."""
    out.write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))


def pack(pyodide: Path, parts: Path, wheels: Iterable[Path]) -> None:
    """Everything of the pack, in a folder."""
    program, modules = BUILD / "program", BUILD / "modules"
    gathered(program, wheels)
    library(pyodide, modules)
    if lacking := missing(pyodide, program, modules):
        sys.exit(f"needless.txt leaves out what the program needs: {', '.join(sorted(lacking))}")
    run("node", HERE / "compile.mjs", f"{pyodide}/", program, modules)
    run("node", HERE / "templates.mjs", f"{pyodide}/", program, HERE / "libyaml" / "libyaml.wasm")
    zipped(program, BUILD / "program.zip")
    zipped(modules, BUILD / "python_stdlib.zip")
    ours = (BUILD / "program.zip", BUILD / "python_stdlib.zip")
    for path in (*ours, pyodide / "pyodide.asm.mjs", pyodide / "pyodide.asm.wasm"):
        squeezed(path, parts / f"{path.name}.packed")
    squeezed(HERE / "libyaml" / "libyaml.wasm", parts / "libyaml.wasm.packed")
    about = json.loads((pyodide / "pyodide-lock.json").read_text())
    (parts / "pyodide-lock.json").write_text(json.dumps({"info": about["info"], "packages": {}}))
    shutil.copy(pyodide / "pyodide.mjs", parts)


def main(wheels: list[str]) -> None:
    """Builds the pack anew."""
    shutil.rmtree(BUILD, ignore_errors=True)
    parts = BUILD / "pack"
    parts.mkdir(parents=True)
    pack(fetched(), parts, [Path(each).resolve() for each in wheels])
    DIST.mkdir(exist_ok=True)
    out = DIST / f"adjudicator-page-{__version__}.zip"
    zipped(parts, out)
    for path in sorted(parts.iterdir()):
        print(f"{path.name}: {path.stat().st_size:,} bytes")
    print(f"{out.relative_to(TOP)}: {out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])

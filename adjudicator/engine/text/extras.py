"""How an extra of this program is installed: from where the program itself came."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from shlex import quote
from typing import Any
from urllib.parse import unquote, urlsplit

PACKAGE = "adjudicator-games"


def how_to_install(extra: str) -> str:
    """The command that brings an extra: from the copy of the repository that the program was installed from, by what
    pip noted of that (PEP 610); else from the package registry.
    """
    try:
        text = metadata.distribution(PACKAGE).read_text("direct_url.json") or "{}"
        origin: Any = json.loads(text)
        url = urlsplit(origin.get("url", ""))
    except (metadata.PackageNotFoundError, ValueError, AttributeError):
        return f"pip install '{PACKAGE}[{extra}]'"
    folder = unquote(url.path)
    if url.scheme == "file" and (Path(folder) / "pyproject.toml").is_file():
        editable = "--editable " if origin.get("dir_info", {}).get("editable") else ""
        return f"pip install {editable}{quote(f'{folder}[{extra}]')}"
    if vcs := origin.get("vcs_info", {}).get("vcs"):
        return f"pip install '{PACKAGE}[{extra}] @ {vcs}+{origin['url']}'"
    return f"pip install '{PACKAGE}[{extra}]'"

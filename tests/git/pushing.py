"""Ways to push what nobody should: straight into a branch of the bare repository, past all that our commands do."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.git.layout import box_of
from adjudicator.git.sealed import Label, seal
from tests.git.clubs import Club, git, git_bytes

LINK, SUBMODULE, SCRIPT, FILE = "120000", "160000", "100755", "100644"


def push(
    club: Club, branch: str, files: Mapping[str, bytes | tuple[str, bytes]], *, onto: str = "", times: int = 1
) -> None:
    """A commit, or so many, with these files (their bytes, or mode and bytes), in place of what the branch was."""
    lines: list[bytes] = []
    for number in range(times):
        lines.append(
            f"commit {branch}\ncommitter x <x@example.org> {1795348800 + number} +0000\ndata 0\n".encode()
        )
        if number == 0 and onto:
            lines.append(f"from {onto}\n".encode())
        if number == 0 and not onto:
            lines.append(b"deleteall\n")
        for name, given in files.items():
            mode, data = given if isinstance(given, tuple) else (FILE, given)
            quoted = '"' + "".join(f"\\{byte:03o}" for byte in name.encode()) + '"'
            if mode == SUBMODULE:
                lines.append(f"M {mode} {'1' * 40} {quoted}\n".encode())
            else:
                lines += [f"M {mode} inline {quoted}\ndata {len(data)}\n".encode(), data, b"\n"]
    if not onto:
        git(club.bare, "update-ref", "-d", branch)
    git(club.bare, "fast-import", "--quiet", "--force", given=b"".join(lines))


def push_box(
    club: Club, player: str, files: Mapping[str, bytes | tuple[str, bytes]], *, times: int = 1
) -> None:
    """The same into a player's branch."""
    push(club, box_of("lagoon", player), files, times=times)


def sealed(club: Club, player: str, text: bytes, **other: str) -> bytes:
    """A sheet of a player, sealed as it should be, but for what is given otherwise."""
    news = club.read(player)
    label = {
        "what": "sheet",
        "match": "lagoon",
        "phase": news.now.phase,
        "player": player,
        "token": news.seat.token,
    }
    return seal(Label(**{**label, **other}), text, news.keys.referee)  # type: ignore[arg-type]


def boxed(club: Club, player: str, name: str) -> bytes:
    """A file in a player's branch."""
    return git_bytes(club.bare, "cat-file", "blob", f"{box_of('lagoon', player)}:{name}")

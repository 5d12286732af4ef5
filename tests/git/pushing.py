"""Ways to push what nobody should: straight into a branch of the bare repository, past all that our commands do."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

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


BOX = "refs/heads/box/lagoon/genoa"
NOBODYS = {
    "two branches": ["after-box:refs/heads/box/lagoon/genoa", "+main:refs/heads/box/lagoon/venice"],
    "a branch and a tag": ["after-box:refs/heads/box/lagoon/genoa", "main:refs/tags/x"],
    "rewriting": [f"+main:{BOX}"],
    "rewriting with thousands of commits": [f"+many:{BOX}"],
    "too much": [f"+large:{BOX}"],
    "deleting": [f":{BOX}"],
    "below a branch": [f"main:{BOX}/x"],
    "main": ["+box:refs/heads/main"],
    "main, forwards": ["after:refs/heads/main"],
    "main without the match": ["emptied:refs/heads/main"],
    "main, joined with an orphan": ["+joined:refs/heads/main"],
    "main, forced back": ["+main~1:refs/heads/main"],
    "main, from the beginning": ["+orphan:refs/heads/main"],
    "main, deleted": [":refs/heads/main"],
    "another head": ["main:refs/heads/genoa"],
    "the look": ["+main:refs/heads/looked"],
    "a look that begins anew": ["+orphan:refs/heads/looked"],
    "the look, deleted": [":refs/heads/looked"],
    "a name beside the look": ["orphan:refs/heads/looked.4"],
    "below the look": ["main:refs/heads/looked/x"],
    "below main": ["main:refs/heads/main/x"],
    "in the place of a folder": ["main:refs/heads/box/alps"],
    "in the place of all": ["main:refs/heads/box"],
    "main within main": ["main:refs/heads/refs/heads/main"],
    "a box within": [f"main:refs/heads/{BOX}"],
    "a name of git's own": ["main:refs/heads/HEAD"],
    "a branch of a remote": ["main:refs/remotes/origin/main"],
    "a seat that is none": ["main:refs/heads/box/lagoon/spain"],
    "a file that is no seat": ["main:refs/heads/box/lagoon/now"],
    "the referee's seat": ["main:refs/heads/box/lagoon/referee"],
    "a match that is none": ["main:refs/heads/box/lake/genoa"],
    "a seat in capitals": ["main:refs/heads/box/lagoon/GENOA"],
    "a seat with a letter more": ["main:refs/heads/box/lagoon/gen\u00f6a"],
    "a pattern": ["main:refs/heads/box/lagoon/g.noa"],
    "words of a shell": ["main:refs/heads/box/lagoon/$(touch${IFS}hit)"],
    "a long name": [f"main:refs/heads/box/lagoon/{'x' * 200}"],
    "a name beside what is none": ["main:refs/heads/box.lagoon.spain.2"],
    "a name too far beside": ["main:refs/heads/box.lagoon.genoa.5"],
    "below a name beside": ["main:refs/heads/box.lagoon.genoa.4/x"],
    "a tag": ["main:refs/tags/x"],
    "a tag like main": ["orphan:refs/tags/main"],
    "a tag like a box": ["tag:refs/tags/box/lagoon/genoa"],
    "a tag of a tag, of a file": ["file:refs/tags/refs/heads/main"],
    "a note": ["main:refs/notes/commits"],
    "a replacement": ["main:refs/replace/1111111111111111111111111111111111111111"],
    "a replacement of main": ["orphan:refs/replace/MAIN"],
    "what the referee remembers": ["orphan:refs/adjudicator/good/lagoon"],
    "a ref in no folder": ["orphan:refs/main"],
    "two hundred branches": [f"main:refs/heads/box/lagoon/x{number}" for number in range(200)],
}
"""What is nobody's to push, but the referee's: by what it is, what `git push` is given in the folder of `somebody`."""


def somebody(club: Club) -> Path:
    """The clone of somebody who may push, with all that `NOBODYS` names."""
    clone = club.home / "clone"
    git(club.home, "clone", "--quiet", str(club.bare), str(clone))
    git(clone, "fetch", "--quiet", "origin", f"{BOX}:box")
    (clone / "large").write_bytes(os.urandom(5 * 2**20))
    blob = git(clone, "hash-object", "-w", "large").strip()
    empty = git(clone, "mktree").strip()
    large = git(clone, "mktree", given=f"100644 blob {blob}\tlarge\n".encode()).strip()
    more = git(clone, "ls-tree", "HEAD") + f"100644 blob {git(clone, 'rev-parse', 'HEAD:README.md')}\tx\n"
    added = git(clone, "mktree", given=more.replace("\n\t", "\t").encode()).strip()
    for name, tree, *parents in (
        ("after", added, "main"),
        ("emptied", empty, "main"),
        ("orphan", empty),
        ("joined", empty, "orphan", "main"),
        ("after-box", empty, "box"),
        ("large", large, "box"),
    ):
        words = [word for parent in parents for word in ("-p", parent)]
        git(clone, "branch", name, git(clone, "commit-tree", "-m", "x", *words, tree).strip())
    git(clone, "tag", "-a", "-m", "x", "tag", "main")
    git(clone, "tag", "-a", "-m", "x", "file", blob)
    commits = b"".join(
        b"commit refs/heads/many\ncommitter x <x> %d +0000\ndata 0\n" % at for at in range(3000)
    )
    git(clone, "fast-import", "--quiet", given=commits)
    return clone


def push_as_somebody(
    club: Club, *refs: str, words: tuple[str, ...] = (), **settings: str
) -> subprocess.CompletedProcess[str]:
    """What comes of a push from there. There is no Python to be found."""
    main = git(club.home / "clone", "rev-parse", "main").strip()
    return subprocess.run(
        ["git", "push", "--quiet", *words, "origin", *(each.replace("MAIN", main) for each in refs)],
        cwd=club.home / "clone",
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "HOME": str(club.home), **settings},
        check=False,
    )

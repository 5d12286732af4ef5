"""The objects of a repository on this machine, read by git itself as a program. No file of it is ever checked out.

So links, attributes, filters and submodules that somebody pushed do nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from adjudicator.git.running import LARGEST_FETCHED, MOST_SAID, GitFailed, run


class Item(Struct, frozen=True):
    """A file in a commit: its mode as git has it, the number of its content, its size, and its name.

    The size is -1 if the content isn't here.
    """

    mode: str
    number: str
    size: int
    name: str

    @property
    def plain(self) -> bool:
        """Is the item a file, and no link or submodule?"""
        return self.mode in ("100644", "100755")


class Objects:
    """What a repository on this machine holds."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def home(self) -> Path:
        """The folder in which git keeps the repository. Raises GitFailed if there is none."""
        for found in (self.path / ".git", self.path):
            if (found / "HEAD").is_file() and (found / "objects").is_dir():
                return found
        raise GitFailed(
            f"{self.path} is no clone: go into yours; `adjudicator git join` or `git init` makes one"
        )

    def run(
        self, *words: str, given: bytes = b"", url: str = "", room: int = 0, most: int = MOST_SAID
    ) -> bytes:
        """What git prints; see `running`. Raises GitFailed."""
        return run(self.path, words, given, url=url, room=room, most=most)

    def setting(self, name: str) -> str:
        """A setting of this repository; empty if it isn't made."""
        try:
            return self.run("config", "--local", "--get", name).decode(errors="replace").strip()
        except GitFailed:
            return ""

    def commit_of(self, name: str) -> str:
        """The number of the commit that a ref names; empty if there is none."""
        try:
            words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
            return self.run(*words).decode().strip()
        except GitFailed:
            return ""

    def follows(self, commit: str, earlier: str) -> bool:
        """Does a commit come after another one, or is it the same?"""
        try:
            if commit != earlier:
                self.run("merge-base", "--is-ancestor", earlier, commit)
        except GitFailed:
            return False
        return True

    def parents_of(self, commit: str) -> list[str]:
        """The numbers of the commits before, even of those that aren't here. Raises GitFailed."""
        head = self.run("cat-file", "commit", commit).partition(b"\n\n")[0].decode(errors="replace")
        return re.findall(r"^parent ([0-9a-f]+)$", head, re.MULTILINE)

    def repeated_by(self, refs: Sequence[str]) -> list[str]:
        """The last parents of the commits up to these on their branches, even of those that aren't here: first of the
        commits that have several, the newest first. Raises GitFailed.
        """
        words = ("log", "--format=raw", "--first-parent", "--stdin")
        text = self.run(*words, given="".join(f"{ref}\n" for ref in refs).encode(), room=LARGEST_FETCHED)
        parents = [
            each.split()[1::2] for each in re.findall(rb"(?:^parent [0-9a-f]+\n)+", text, re.MULTILINE)
        ]
        parents.sort(key=lambda each: len(each) == 1)
        return [*dict.fromkeys(each[-1].decode() for each in parents)]

    def refs(self, folder: str) -> dict[str, str]:
        """The refs of this clone in a folder of them, by the rest of their names. Raises GitFailed."""
        text = self.run("for-each-ref", "--format=%(objectname) %(refname)", "--end-of-options", f"{folder}/")
        lines = (line.split(" ", 1) for line in text.decode(errors="replace").splitlines())
        return {name.removeprefix(f"{folder}/"): number for number, name in lines}

    def versions(self, commits: Sequence[str], since: str, *names: str) -> list[tuple[str, Item]]:
        """Files as they were left by each commit up to these, and not up to `since`, that changed them, with the number
        of the commit; the newest first. Raises GitFailed.
        """
        words = ("log", "--full-history", "-m", "--raw", "-z", "--no-abbrev", "--no-renames", "--format=%H")
        before = [f"^{since}"] if since else []
        text = self.run(*words, *before, *commits, "--", *names, room=LARGEST_FETCHED)
        found, at = dict[tuple[str, str], str](), ""
        parts = iter(text.decode("utf-8", "surrogateescape").split("\0"))
        for part in parts:
            if part.lstrip().startswith(":"):
                _, mode, _, number, _ = part.split(" ")
                found[at, next(parts)] = f"{mode} {number}"
            else:
                at = part.strip() or at
        sizes = self._sizes([each.split(" ")[1] for each in found.values() if each.startswith("100")])
        return [
            (at, Item(mode, number, sizes.get(number, -1), name))
            for (at, name), (mode, number) in ((key, each.split(" ")) for key, each in found.items())
            if mode.startswith("100")
        ]

    def time_of(self, commit: str) -> int:
        """When a commit was made, in seconds since 1970, by its writer's clock."""
        return int(self._shown(commit, "%ct") or 0)

    def says(self, line: str, since: str, commit: str) -> bool:
        """Is it a line of what a commit of `main` after one, and up to another, says of itself? Raises GitFailed."""
        words = ("log", "--first-parent", "--max-count=1", "--format=%H", f"--grep=^{line}$", f"^{since}")
        return bool(self.run(*words, commit, "--"))

    def message_of(self, commit: str) -> str:
        """What a commit's writer says of it."""
        return self._shown(commit, "%B")

    def _shown(self, commit: str, form: str) -> str:
        words = ("show", "--no-patch", f"--format={form}", "--end-of-options", commit)
        return self.run(*words).decode(errors="replace").strip()

    def items(self, commit: str, folder: str = "", *names: str) -> list[Item]:
        """All files in a folder and below it, or only the named ones, by name. Raises GitFailed.

        Folders are left out, so that a file's name here is one that leads to it.
        """
        within = [f"{folder}/{name}" if folder else name for name in names] or ([folder] if folder else [])
        # With `-t` each folder is a line of what may be said: else a tree of empty ones could be walked for ever.
        deep = [] if names else ["-r", "-t"]
        words = ("ls-tree", "-z", "--long", *deep, "--full-tree", "--end-of-options", commit, *within)
        text = self.run(*words, room=LARGEST_FETCHED)
        return [
            Item(mode, number, size, path.removeprefix(f"{folder}/") if folder else path)
            for mode, kind, number, size, path in entries_in(text)
            if kind != "tree"
        ]

    def at_the_top(self, commit: str, most: int) -> list[tuple[str, str, str]]:
        """What lies in no folder: its kind (`blob`, `tree` or `commit`), number and name. Raises GitFailed, also if the
        list is longer than `most` bytes.
        """
        words = ("ls-tree", "-z", "--full-tree", "--end-of-options", commit)
        return [(kind, number, path) for _, kind, number, _, path in entries_in(self.run(*words, most=most))]

    def tops(self, commit: str, most: int) -> list[str]:
        """The folders that lie in no other; none if there are more than `most` bytes tell."""
        try:
            return [name for kind, _, name in self.at_the_top(commit, most) if kind == "tree"]
        except GitFailed:
            return []

    def tops_ever(self, commit: str) -> list[str]:
        """The folders that lay in no other in any of the commits up to this one, the oldest first. Raises GitFailed."""
        numbers = self.run("rev-list", "--reverse", "--end-of-options", commit)
        words = ("diff-tree", "--stdin", "-m", "--root", "--raw", "-z", "--no-commit-id", "--no-renames")
        parts = iter(
            self.run(*words, given=numbers, room=LARGEST_FETCHED)
            .decode("utf-8", "surrogateescape")
            .split("\0")
        )
        return [
            *dict.fromkeys(
                name for part, name in zip(parts, parts, strict=False) if " 040000 " in f" {part[1:]} "
            )
        ]

    def _sizes(self, numbers: Sequence[str]) -> dict[str, int]:
        """The sizes of files' contents by number; those that weren't fetched are left out."""
        asked = "".join(f"{number}\n" for number in dict.fromkeys(numbers)).encode()
        text = self.run("cat-file", "--batch-check", "--buffer", given=asked) if asked else b""
        words = (line.split() for line in text.decode().splitlines())
        return {each[0]: int(each[2]) for each in words if len(each) == 3 and each[1] == "blob"}

    def contents(self, items: Sequence[Item], most: int) -> dict[str, bytes]:
        """The bytes of files by name; together at most so many. Raises GitFailed, also for one that wasn't fetched."""
        if sum(max(each.size, 0) for each in items) > most:
            raise GitFailed(f"more than {most} bytes, which aren't read")
        asked = "".join(f"{each.number}\n" for each in items).encode()
        text = (
            self.run("cat-file", "--batch", "--buffer", given=asked, most=most + 128 * len(items))
            if items
            else b""
        )
        found, at = {}, 0
        for each in items:
            end = text.index(b"\n", at)
            words = text[at:end].split()
            if len(words) != 3 or words[1] != b"blob":
                raise GitFailed(f"{each.name!a} isn't here")
            found[each.name] = text[end + 1 : end + 1 + int(words[2])]
            at = end + 2 + int(words[2])
        return found


def entries_in(text: bytes) -> Iterator[tuple[str, str, str, int, str]]:
    """What `git ls-tree -z` lists: the mode, the kind, the number of the content, its size and the path of each entry.

    The size is -1 without `--long`, of what is no file, and if the content isn't here (git says `BAD`).
    """
    for line in text.split(b"\0"):
        head, tab, name = line.partition(b"\t")
        if tab:
            mode, kind, number, *size = head.decode("ascii", "replace").split()
            length = int(size[0]) if size and size[0].isdigit() else -1
            yield mode, kind, number, length, name.decode("utf-8", "surrogateescape")

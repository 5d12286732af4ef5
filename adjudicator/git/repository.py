"""A repository, by git itself as a program: fetch, read, commit, push. No file of it is ever checked out.

So links, attributes, filters and submodules that somebody pushed do nothing. Git gets no text of a player as a word of
its command line: names are ours, and what players wrote is read from objects by number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from adjudicator.git.layout import names_of
from adjudicator.git.limits import LARGEST_FETCHED, LARGEST_MAIN, MOST_SAID
from adjudicator.git.running import GitFailed, address, run

MAIN = "refs/heads/main"
"""What the referee writes, as the host has it."""
HERE = "refs/remotes/origin/main"
"""The same branch, as it was last fetched."""
MOST_STRAYS = 10
WORD = "adjudicator.word"
"""The setting of the referee's clone, and of a bare repository with our hooks, by which these know the referee."""
_FETCH = (
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-recurse-submodules",
    "--no-write-fetch-head",
    "--no-auto-maintenance",
)
_BLOCKED = ("; cannot create '", "directory/file conflict")
_MOVED = (
    "non-fast-forward",
    "fetch first",
    "stale info",
    "already exists",
    "cannot lock ref",
    "failed to update ref",
)


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


class Blocked(GitFailed):
    """The branch can't be made: another one stands where it would."""


class Moved(GitFailed):
    """The branch has moved on since it was fetched: somebody else was faster."""


class Repository:
    """A repository on this machine, and the one that it fetches from and pushes to."""

    remote = "origin"

    def __init__(self, path: Path, *, stranger: bool = False) -> None:
        self.path, self.stranger = path, stranger
        self.before: Callable[[str], None] = lambda what: None
        """Called before each step that can be seen outside; a test may end the program there."""

    @classmethod
    def create(cls, path: Path, url: str, *, stranger: bool = False) -> Repository:
        """A new, empty repository that belongs to the one at `url`; git gets no token for a stranger's. Raises
        GitFailed.
        """
        found = cls(path, stranger=stranger)
        path.mkdir(parents=True, exist_ok=True)
        found.run("init", "--quiet", "--template=", "--initial-branch=main", ".")
        found.run("remote", "add", "-t", "main", "--", "origin", address(url))
        return found

    @property
    def home(self) -> Path:
        """The folder in which git keeps the repository. Raises GitFailed if there is none."""
        for found in (self.path / ".git", self.path):
            if (found / "HEAD").is_file() and (found / "objects").is_dir():
                return found
        raise GitFailed(f"{self.path} is no clone; `adjudicator git join` or `git init` makes one")

    def use_objects_of(self, other: Repository) -> None:
        """Lets the objects of another repository on this machine be found here too. Raises GitFailed, OSError."""
        (self.home / "objects/info").mkdir(exist_ok=True)
        (self.home / "objects/info/alternates").write_text(
            f"{(other.home / 'objects').absolute()}\n", encoding="utf-8"
        )

    @cached_property
    def url(self) -> str:
        """The address that the clone fetches from. Raises GitFailed."""
        return self.run("config", "--get", "remote.origin.url").decode(errors="replace").strip()

    @property
    def _far(self) -> str:
        """The other machine, for git's settings: git may talk to it, and the token goes there."""
        return "a stranger's" if self.stranger else self.url

    def setting(self, name: str) -> str:
        """A setting of this repository; empty if it isn't made."""
        try:
            return self.run("config", "--local", "--get", name).decode(errors="replace").strip()
        except GitFailed:
            return ""

    @cached_property
    def word(self) -> str:
        """What to say at a push, so that the hooks know the referee; empty if they need not."""
        return self.setting(WORD)

    def _served(self, command: str) -> list[str]:
        """How a repository on this machine is to be served: without the replacements that somebody may have pushed."""
        here = self.url.startswith(("/", "file:"))
        return [f"--{command}=git --no-replace-objects {command}"] if here else []

    def run(
        self, *words: str, given: bytes = b"", url: str = "", room: int = 0, most: int = MOST_SAID
    ) -> bytes:
        """What git prints; see `running`. Raises GitFailed."""
        return run(self.path, words, given, url=url, room=room, most=most)

    def fetch(self, *branches: str, of: Repository | None = None) -> None:
        """Fetches branches (`SOURCE:TARGET`), of another repository if one is named. Raises GitFailed."""
        self.before("fetch")
        there = of or self
        words = (*_FETCH, *there._served("upload-pack"), "--end-of-options", there.url)
        self.run(*words, *(f"+{each}" for each in branches), url=there._far, room=LARGEST_MAIN)

    def fetch_few(self, *branches: str, files: bool = True) -> None:
        """Fetches the last commits of branches that anybody may write, without large files, or without any. Raises
        GitFailed.

        This is for a repository that is thrown away: it knows of no history.
        """
        self.before("fetch")
        few = ["--depth=1", f"--filter={f'blob:limit={2**19}' if files else 'tree:0'}", "--update-shallow"]
        words = (
            *_FETCH,
            *self._served("upload-pack"),
            *few,
            "--end-of-options",
            self.remote,
            *(f"+{each}" for each in branches),
        )
        settings = self.home / "config"
        before = settings.read_bytes()
        try:
            self.run(*words, url=self._far, room=LARGEST_FETCHED)
        finally:  # or git would fetch what was left out as soon as it is looked at
            settings.write_bytes(before)

    def branches(self, *names: str) -> dict[str, str]:
        """The given branches (`refs/heads/...`) that exist, with their last commits. Raises GitFailed."""
        return {name: number for name, number in self.far_refs(*names).items() if name in names}

    def branch_of(self, *branches: str) -> dict[str, tuple[str, str]]:
        """Of each of these branches the name that counts now, and its last commit, if it is there. Raises GitFailed."""
        there = self.branches(*(name for each in branches for name in names_of(each)))
        found = {each: [name for name in names_of(each) if name in there] for each in branches}
        return {each: (names[-1], there[names[-1]]) for each, names in found.items() if names}

    def strays(self, ours: Collection[str]) -> list[str]:
        """Branches of the other repository that lie where the referee's and the players' would, and are none of these;
        the first few. Raises GitFailed.
        """
        here = re.compile(r"refs/heads/(?:box|box[./].*|looked/.*|refs/.*)|refs/replace/.*")
        every = {name for each in ours for name in names_of(each)}
        return sorted(name for name in self.far_refs() if here.fullmatch(name) and name not in every)[
            :MOST_STRAYS
        ]

    def far_refs(self, *tails: str) -> dict[str, str]:
        """The other repository's refs that end in these patterns, or all, with their numbers. Raises GitFailed."""
        words = ("ls-remote", "--refs", *self._served("upload-pack"), "--end-of-options", self.remote, *tails)
        text = self.run(*words, url=self._far, room=LARGEST_FETCHED, most=LARGEST_FETCHED)
        lines = (line.split("\t", 1) for line in text.decode(errors="replace").splitlines())
        return {line[1]: line[0] for line in lines if len(line) == 2}

    def push(self, commit: str, branch: str, seen: str | None = None) -> None:
        """Pushes a commit to a branch, which must not have moved since its last commit `seen` (empty: there was none).

        Raises Moved if it has, Blocked if another branch is in its place, GitFailed if the host refuses it.
        """
        self.before("push")
        lease = [] if seen is None else [f"--force-with-lease={branch}:{seen}"]
        # A pattern is the only way to name a branch exactly: `git push X:refs/heads/main` refuses to choose between it
        # and a branch `refs/heads/main`. So each branch has a folder of refs of its own here.
        own = f"refs/adjudicator/to/{branch.replace('/', '.')}/"
        self.keep(f"{own}{branch.removeprefix('refs/')}", commit)
        words = ("push", "--porcelain", "--quiet", "--no-verify", *lease, *self._served("receive-pack"))
        words += (f"--push-option={self.word}",) if self.word else ()
        try:
            self.run(*words, "--end-of-options", self.remote, f"{own}*:refs/*", url=self._far)
        except GitFailed as failed:
            for sort, signs in ((Blocked, _BLOCKED), (Moved, _MOVED)):
                if any(each in str(failed) for each in signs):
                    raise sort(str(failed)) from None
            raise
        self.before("pushed")

    def push_beside(self, commit: str, branch: str, seen: str) -> None:
        """Pushes a commit to a branch, or to the first name beside it that no other is in the way of. As `push`."""
        for name in names_of(branch):
            try:
                return self.push(commit, name, seen)
            except Blocked as blocked:
                in_the_way = blocked
        raise in_the_way

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
            self.run("merge-base", "--is-ancestor", earlier, commit)
        except GitFailed:
            return False
        return True

    def parents_of(self, commit: str) -> list[str]:
        """The numbers of the commits before, even of those that aren't here. Raises GitFailed."""
        head = self.run("cat-file", "commit", commit).partition(b"\n\n")[0].decode(errors="replace")
        return re.findall(r"^parent ([0-9a-f]+)$", head, re.MULTILINE)

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

    def subjects(self, since: str, commit: str) -> list[str]:
        """What the commits after one of `main`, up to another, say of themselves in a line. Raises GitFailed."""
        words = ("log", "--first-parent", "--max-count=1000", "--format=%s", f"^{since}", commit, "--")
        return self.run(*words).decode(errors="replace").splitlines()

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

    def commit(
        self,
        parent: str,
        changes: Mapping[str, bytes | str | None],
        message: str,
        seconds: int,
        who: str = "Referee",
        also: str = "",
    ) -> str:
        """Makes a commit with changed files after another one (empty: the first), and returns its number. Nothing is
        pushed yet. `also` is a commit that it follows too, with none of whose files.

        A file is given by its bytes, or by the number of those that are there already. None removes the file or folder;
        under the empty name, it removes everything.

        Raises GitFailed.
        """
        own = "refs/adjudicator/next"
        person = f"{who} <{who.lower()}@adjudicator.invalid> {seconds} +0000"
        text = message.encode()
        lines = [
            f"commit {own}\nauthor {person}\ncommitter {person}\ndata {len(text)}\n".encode(),
            text,
            b"\n",
        ]
        if parent:
            lines.append(f"from {parent}\n".encode())
        if also and also != parent:
            lines.append(f"merge {also}\n".encode())
        for name, data in changes.items():
            if data is None and not name:
                lines.append(b"deleteall\n")
            elif data is None:
                lines.append(f"D {_quoted(name)}\n".encode())
            elif isinstance(data, str):
                lines.append(f"M 100644 {data} {_quoted(name)}\n".encode())
            else:
                lines += [f"M 100644 inline {_quoted(name)}\ndata {len(data)}\n".encode(), data, b"\n"]
        lines.append(b"done\n")
        # Otherwise a commit without a parent would continue the one that the ref had before.
        self.run("update-ref", "-d", own)
        self.run("fast-import", "--quiet", "--force", "--done", given=b"".join(lines))
        return self.commit_of(own)

    def keep(self, name: str, commit: str) -> None:
        """Lets a ref of our own point to a commit. Raises GitFailed."""
        self.run("update-ref", "--end-of-options", name, commit)


def _quoted(name: str) -> str:
    """A name as `fast-import` reads it, whatever is in it."""
    data = name.encode("utf-8", "surrogateescape")
    return (
        '"'
        + "".join(
            f"\\{byte:03o}" if byte < 33 or byte > 126 or byte in b'"\\' else chr(byte) for byte in data
        )
        + '"'
    )


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

"""A repository and the one that it belongs to, by git itself as a program: fetch, commit, push; `objects` reads it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from adjudicator.git.layout import names_of
from adjudicator.git.objects import Item, Objects
from adjudicator.git.running import (
    LARGEST_AT_ONCE,
    LARGEST_FETCHED,
    LARGEST_MAIN,
    LARGEST_MARK,
    MORE_THAN_FETCHED,
    WITH_THE_REST,
    GitFailed,
    TookTooLong,
    address,
)

Changes = Mapping[str, bytes | str | None]
"""Files by name, each by its bytes or by the number of those that are there already. None removes the file or folder;
under the empty name, it removes everything.
"""
MAIN = "refs/heads/main"
"""What the referee writes, as the host has it."""
HERE = "refs/remotes/origin/main"
"""The same branch, as it was last fetched."""
MOST_STRAYS = 10
"""So many branches that are nobody's are named."""
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
_LEAVING_OUT = re.compile(rb"\n[ \t]*(?:promisor|partialclonefilter) = [^\n]*")
"""Git's note in the settings that it has left files out."""
_BLOCKED = ("; cannot create '", "directory/file conflict")
_INCOMPLETE = ("unable to read ",)
_MOVED = (
    "non-fast-forward",
    "fetch first",
    "stale info",
    "already exists",
    "cannot lock ref",
    "failed to update ref",
)


class Blocked(GitFailed):
    """The branch can't be made: another one stands where it would."""


class Incomplete(GitFailed):
    """What is to be pushed follows something that was left out here, and that the host doesn't have any more."""


class Moved(GitFailed):
    """The branch has moved on since it was fetched: somebody else was faster."""


class Repository(Objects):
    """A repository on this machine, and the one that it fetches from and pushes to."""

    remote = "origin"

    def __init__(self, path: Path, *, stranger: bool = False) -> None:
        super().__init__(path)
        self.stranger = stranger
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
        found.url = address(url)
        quoted = found.url.replace("\\", "\\\\").replace('"', '\\"')
        with (found.home / "config").open("a", encoding="utf-8") as settings:
            settings.write(f'[remote "origin"]\n\turl = "{quoted}"\n\tfetch = +{MAIN}:{HERE}\n')
        return found

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

    @cached_property
    def word(self) -> str:
        """What to say at a push, so that the hooks know the referee; empty if they need not."""
        return self.setting(WORD)

    def _served(self, command: str, *, rewriting: bool = False) -> list[str]:
        """How a repository on this machine is to be served: without the replacements that somebody may have pushed, and
        if that is meant, to be rewritten though its settings forbid it.
        """
        here = self.url.startswith(("/", "file:"))
        allowing = "-c receive.denyNonFastForwards=false " if rewriting else ""
        return [f"--{command}=git --no-replace-objects {allowing}{command}"] if here else []

    def fetch(self, *branches: str, of: Repository | None = None) -> None:
        """Fetches branches (`SOURCE:TARGET`) with their history, of another repository if one is named. Raises
        GitFailed.

        Large files are left out where the host can. If there is too much even so, all files are but the smallest, such
        as marks; `contents` fetches what is looked at.
        """
        try:
            self._fetch(*branches, of=of, files=f"blob:limit={WITH_THE_REST}", room=LARGEST_AT_ONCE)
        except GitFailed as failed:
            if MORE_THAN_FETCHED not in str(failed):
                raise
            self._fetch(*branches, of=of, files=f"blob:limit={LARGEST_MARK}", room=LARGEST_MAIN)

    def fetch_few(self, *branches: str, files: int = 2**19, deep: int = 1) -> None:
        """Fetches the last commits of branches that anybody may write, so many of each, without files of so many bytes;
        at 0, without any. Raises GitFailed.

        This is for a repository that is thrown away: it knows of no history.
        """
        left_out = f"blob:limit={files}" if files else "tree:0"
        self._fetch(*branches, deep=deep, files=left_out, room=LARGEST_FETCHED)

    def contents(self, items: Sequence[Item], most: int) -> dict[str, bytes]:
        """As `Objects.contents`; what was left out when `main` was fetched is fetched now."""
        self.fetch_rest(items, most)
        return super().contents(items, most)

    def fetch_rest(self, items: Sequence[Item], most: int = LARGEST_MAIN) -> None:
        """Fetches those of the files that were left out, together at most so many bytes. Raises GitFailed."""
        if numbers := {item.number for item in items if item.plain and item.size < 0}:
            self._fetch(*numbers, files="blob:none", room=most, knowing=False)

    def _fetch(
        self,
        *what: str,
        files: str,
        of: Repository | None = None,
        deep: int = 0,
        knowing: bool = True,
        room: int,
    ) -> None:
        self.before("fetch")
        there = of or self
        named = self.remote if there.url == self.url else there.url
        how = (f"--filter={files}", *((f"--depth={deep}", "--update-shallow") if deep else ()))
        words = (*_FETCH, *there._served("upload-pack"), *how, "--stdin", "--end-of-options", named)
        if not knowing:  # or the host would take what was left out as known here
            words = ("-c", "fetch.negotiationAlgorithm=noop", *words)
        given = "".join(f"+{each}\n" for each in what).encode()
        with self._whole_again():
            self.run(*words, given=given, url=there._far, room=room)

    @contextmanager
    def _whole_again(self) -> Iterator[None]:
        """A `with` block for a fetch that leaves files out. Git would note that, and fetch each as soon as it is named;
        and a fetch that was given up leaves what it had.
        """
        try:
            yield
        except GitFailed:
            for left in (self.home / "objects/pack").glob("tmp_*"):
                left.unlink(missing_ok=True)
            raise
        finally:
            settings, fresh = self.home / "config", self.home / "config.adjudicator"
            before = settings.read_bytes()
            if (after := _LEAVING_OUT.sub(b"", before)) != before:
                fresh.write_bytes(after)
                fresh.replace(settings)

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

    def push(self, commit: str, branch: str, seen: str | None = None, *, rewriting: bool = False) -> None:
        """Pushes a commit to a branch, which must not have moved since its last commit `seen` (empty: there was none).
        With `rewriting` it needn't follow from that.

        Raises Moved if it has, Blocked if another branch is in its place, GitFailed if the host refuses it.
        """
        self.before("push")
        lease = [] if seen is None else [f"--force-with-lease={branch}:{seen}"]
        # A pattern is the only way to name a branch exactly: `git push X:refs/heads/main` refuses to choose between it
        # and a branch `refs/heads/main`. So each branch has a folder of refs of its own here.
        own = f"refs/adjudicator/to/{branch.replace('/', '.')}/"
        self.keep(commit, f"{own}{branch.removeprefix('refs/')}")
        words = ("push", "--porcelain", "--quiet", "--no-verify", *lease)
        words += (*self._served("receive-pack", rewriting=rewriting),)
        words += (f"--push-option={self.word}",) if self.word else ()
        try:
            self.run(*words, "--end-of-options", self.remote, f"{own}*:refs/*", url=self._far)
        except TookTooLong:  # such as a hook that plays a phase: what was pushed by then is pushed
            if self.branches(branch).get(branch) != commit:
                raise
        except GitFailed as failed:
            for sort, signs in ((Incomplete, _INCOMPLETE), (Blocked, _BLOCKED), (Moved, _MOVED)):
                if any(each in str(failed) for each in signs):
                    raise sort(str(failed)) from None
            raise
        self.before("pushed")

    def push_after(
        self,
        parent: str,
        branch: str,
        changes: Changes,
        message: str,
        seconds: int,
        who: str = "Referee",
        also: Sequence[str] = (),
    ) -> str:
        """Makes a commit as `commit` does, pushes it to a branch, and returns its number. As `push`.

        It follows the first of the commits `also` all of whose history the host has, or gets from here; else none.
        Where another branch than `main` can't be made, a name beside it is taken.
        """
        names = (MAIN,) if branch == MAIN else names_of(branch)
        for other in (*also, ""):
            commit = self.commit(parent, changes, message, seconds, who, also=other)
            try:
                self._push_to_one(commit, names, parent)
                break
            except Incomplete:
                if not other:
                    raise
        return commit

    def _push_to_one(self, commit: str, names: Sequence[str], seen: str) -> None:
        for name in names:
            try:
                return self.push(commit, name, seen)
            except Blocked as blocked:
                in_the_way = blocked
        raise in_the_way

    def commit(
        self, parent: str, changes: Changes, message: str, seconds: int, who: str = "Referee", also: str = ""
    ) -> str:
        """Makes a commit with changed files after another one (empty: the first), and returns its number. Nothing is
        pushed yet. `also` is a commit that it follows too, with none of whose files.

        Raises GitFailed.
        """
        own = "refs/adjudicator/next"
        person = f"{who} <{who.lower()}@adjudicator.invalid> {seconds} +0000"
        text = message.encode()
        # Without the reset a commit without a parent would continue the one that the ref had before.
        lines = [
            f"reset {own}\n\ncommit {own}\nmark :1\nauthor {person}\ncommitter {person}\ndata {len(text)}\n".encode(),
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
        lines.append(b"get-mark :1\ndone\n")
        return self.run("fast-import", "--quiet", "--force", "--done", given=b"".join(lines)).decode().strip()

    def keep(self, commit: str, *names: str) -> None:
        """Lets refs of our own point to a commit. Raises GitFailed."""
        self.run(
            "update-ref", "--stdin", given="".join(f"update {name} {commit}\n" for name in names).encode()
        )


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

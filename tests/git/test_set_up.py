"""What is wrong with a token, a password or an address is said in plain words by the first command that meets it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from adjudicator.git.hosts import install_hooks
from adjudicator.git.running import _reason_of
from tests.cli.calling import adjudicator
from tests.git.clubs import Club, begun as begun_club

WRONG = "aaaaaaaaaaaa"
REFUSED = "hasn't taken your key: the token isn't yours"


@contextmanager
def answering(code: int) -> Iterator[int]:
    """A host that answers everything with this status: its port."""

    class Host(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(code)
            if code == 401:
                self.send_header("WWW-Authenticate", 'Basic realm="club"')
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_POST = do_GET

        def log_message(self, *words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Host) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (401, "the host wants a user and a password or a token, and takes none that git has"),
        (403, "the host doesn't let this user, or this token, do it"),
        (404, "there is no such repository, or this user may not see it"),
    ],
)
def test_a_host_that_refuses_is_told_in_plain_words_and_no_password_is_shown(
    code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By every command that meets it first; and it can be given again."""
    monkeypatch.chdir(tmp_path)
    new = adjudicator("new", "mediterranee", "lagoon", "--player", "venice", "--player", "genoa")
    assert new.exit_code == 0, new.output
    with answering(code) as port:
        url = f"http://anna:secret@127.0.0.1:{port}/club.git"
        for words in (
            ("git", "join", url, "venice", "--token", WRONG),
            ("git", "init", "lagoon", url, "--host", "github"),
            ("git", "turn", url),
        ):
            told = adjudicator(*words)
            assert told.exit_code == 1
            assert f"http://127.0.0.1:{port}/club.git: MATCH {said} (git " in told.output
            assert "secret" not in told.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lagoon"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("fatal: could not read Username for 'https://x': terminal prompts disabled", "wants a user"),
        (
            "git@x: Permission denied (publickey).\nfatal: Could not read from remote",
            "doesn't take the SSH key",
        ),
        ("Host key verification failed.", "doesn't take the SSH key"),
        ("ERROR: Repository not found.\nfatal: Could not read from remote repository.", "no such repository"),
        ("remote: Permission to club/x.git denied to anna.", "doesn't let this user"),
        ("fatal: unable to access 'https://x/': Could not resolve host: x", "can't be reached"),
        ("ssh: connect to host x port 22: Connection refused", "can't be reached"),
        ("fatal: couldn't find remote ref refs/heads/main", "there is no match in this repository yet"),
        ("fatal: invalid gitfile format: /x/sheet.yaml", "no such repository"),
        ("fatal: bad object", "git fetch: fatal: bad object"),
    ],
)
def test_gits_words_are_told_with_what_they_mean(words: str, said: str) -> None:
    told = _reason_of("fetch", words.encode(), 128)
    assert said in told
    assert words.partition("\n")[0] in told


def test_where_a_hook_answers_a_wrong_token_is_told_at_once(tmp_path: Path) -> None:
    """And nothing is left of it: the same command with the right token is good."""
    begun = begun_club(tmp_path)
    assert install_hooks(begun.referee)
    where = tmp_path / "venice"
    told = adjudicator("git", "join", begun.bare, "venice", where, "--token", WRONG)
    assert told.exit_code == 1
    assert f"--token: MATCH the referee has looked, and {REFUSED}" in told.output
    assert not where.exists()
    joined = adjudicator("git", "join", begun.bare, "venice", where, "--token", begun.begun.tokens["venice"])
    assert joined.exit_code == 0, joined.output
    assert "0001-t1-setup is open" in adjudicator("git", "read", where).output
    for token in (WRONG, begun.begun.tokens["venice"]):  # there is a key already
        again = adjudicator("git", "join", begun.bare, "venice", tmp_path / "again", "--token", token)
        assert again.exit_code == 1 and REFUSED in again.output
    other = adjudicator("git", "join", tmp_path / "other.git", "venice", where, "--token", WRONG)
    assert other.exit_code == 1 and f"this is a clone of {begun.bare}: name a new folder" in other.output


def test_elsewhere_it_is_told_as_soon_as_the_referee_has_looked(tmp_path: Path) -> None:
    begun: Club = begun_club(tmp_path)
    where = tmp_path / "venice"
    join = ("git", "join", begun.bare, "venice")
    assert adjudicator(*join, where, "--token", WRONG).exit_code == 0
    before = adjudicator("git", "read", where)
    assert before.exit_code == 0, before.output
    assert REFUSED not in before.output
    begun.turn()
    after = adjudicator("git", "read", where)
    assert after.exit_code == 1, after.output
    assert REFUSED in after.output
    assert after.stderr.count("WARNING") == 1  # what is sealed to others is no news
    assert adjudicator(*join, tmp_path / "again", "--token", begun.begun.tokens["venice"]).exit_code == 0
    again = adjudicator("git", "read", tmp_path / "again")
    assert again.exit_code == 0, again.output
    assert REFUSED not in again.output  # that reply was to another key
    begun.turn()
    assert "0001-t1-setup is open" in adjudicator("git", "read", tmp_path / "again").output


def test_a_bare_repository_is_named_as_any_other(tmp_path: Path) -> None:
    begun = begun_club(tmp_path)
    told = adjudicator("git", "turn", begun.bare, "--key", begun.begun.key)
    assert told.exit_code == 0, told.output


def test_a_match_may_be_named_from_within_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `.`, which has no name; the referee's clone lies beside the match, as always."""
    new = adjudicator("new", "mediterranee", tmp_path / "lagoon", "--player", "venice", "--player", "genoa")
    assert new.exit_code == 0, new.output
    monkeypatch.chdir(tmp_path / "lagoon")
    told = adjudicator("git", "init", ".", "../club.git")
    assert told.exit_code == 0, told.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["club.git", "lagoon", "lagoon-referee"]
    assert "this isn't a match folder" in adjudicator("git", "init", "/", "../other.git").output


@pytest.mark.parametrize(("dice", "said"), [("seed", "could choose and know"), ("drand", "a round of drand")])
def test_who_begins_and_who_joins_is_told_which_dice_a_match_has(
    dice: str, said: str, tmp_path: Path
) -> None:
    who = ("--player", "venice", "--player", "genoa", "--option", f"dice={dice}")
    assert adjudicator("new", "mediterranee", tmp_path / "lagoon", *who).exit_code == 0
    begun = adjudicator("git", "init", tmp_path / "lagoon", tmp_path / "club.git")
    assert said in begun.output
    (tmp_path / "club.git/hooks/post-receive").unlink()
    line = next(line for line in begun.output.splitlines() if line.startswith("Tell venice alone"))
    words = line.partition("adjudicator ")[2].split()
    assert said in adjudicator(*words, tmp_path / "venice").output

"""A club's folder with one match to tamper with, and every command that may be called on it.

The match goes on, with an entry of each kind in its ledger, or is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from adjudicator.engine.folder.folder import Folder
from tests.cli.calling import adjudicator
from tests.engine.match_folders import play, send
from tests.gm.weeks import week
from tests.mail.local_post import LocalPost, reply

SECRET = "the key of the treasury"
KEY = "age1v87h3gaj8ad3threuh3l08l5s0lpeuev44wevx5jwxpjv6x60c8sfn632f"
"""To which a match in a git repository might be sealed."""
AT = "2026-11-26T20:00:00Z"
"""When commands are called: the open phase of the match that goes on is overdue then."""


def going_on(home: Path) -> Path:
    """A match by mail in its second phase, that was amended, put off, taken back, held up, mailed and answered."""
    match, post = week(home / "lagoon"), LocalPost(home / "post")
    post.account(match, observers="[friend@example.org]")

    def act(at: str, *words: str) -> None:
        done = adjudicator(*words, "--at", f"2026-11-{at}:00Z")
        assert done.exit_code in (0, 1, 3), done.output

    act("22T12:05", "mail", "send", str(match))
    for player, number in (("venice", "one"), ("genoa", "two")):
        mail = post.mails_to(f"{player}@example.org")[0]
        post.deliver(reply(mail, "orders: []\n", f"{player}@example.org", number))
    act("22T12:10", "mail", "turn", str(match))
    act("22T12:12", "undo", str(match), "--why", "by mistake")
    act("22T12:14", "close", str(match))
    act("22T12:15", "run", str(match))
    act("22T12:20", "absent", str(match), "genoa", "2026-11-27..2026-11-28")
    position = match / Folder(match).phases[-1] / "state.yaml"
    position.write_text(position.read_text().replace("treasury: 100", "treasury: 90", 1))
    act("22T12:25", "amend", str(match), "--why", "a slip")
    act("22T12:30", "hold", str(match), "--why", "a storm")
    act("22T12:35", "resume", str(match), "--why", "calm")
    act("22T12:37", "extend", str(match), "--to", "2026-11-26T19:00:00Z", "--why", "put off")
    act("22T12:40", "replace", str(match), "genoa=new@example.org", "--why", "gone")
    act("22T12:45", "mail", "turn", str(match))
    send(match, "venice", "orders: [{bid: 0}]\nlater: {market: {orders: []}}")
    (match / Folder(match).phases[-1] / "note.md").write_text("A calm day.\n")
    (match / "keys.yaml").write_text(f"referee: [{KEY}]\nplayers:\n  venice: {{key: {KEY}, number: 0}}\n")
    return match


def over(home: Path) -> Path:
    """A match that is over, by mail too."""
    match, post = week(home / "lagoon", turns="1"), LocalPost(home / "post")
    post.account(match)
    assert adjudicator("mail", "send", str(match), "--at", "2026-11-22T12:05:00Z").exit_code == 0
    play(match, 40)
    assert adjudicator("mail", "send", str(match), "--at", "2026-11-23T12:05:00Z").exit_code == 0
    return match


def commands(match: Path, out: Path) -> Iterator[tuple[str, ...]]:
    """Every command that reads a match, then those that change it; `out` is where pages may be written."""
    top, phase = str(match), f"{match}/{_last(match)}"
    yield from [
        ("status", top, "--at", AT),
        ("status", top, "--page", f"{out}/club.html", "--at", AT),
        ("due", top, "--at", AT),
        ("verify", top),
        ("verify", f"{phase}/for/venice", f"{phase}/for/public"),
        ("report", top, "--player", "venice"),
        ("report", top, "--phase", "1"),
        ("map", top, "--out", "-"),
        ("site", top, f"{out}/site"),
        ("explain", "MED-3.3", top),
        ("form", top, "venice", "--out", f"{out}/form.yaml"),
        ("check", f"{phase}/sheets/venice.yaml"),
        ("check", "--view", f"{phase}/for/venice/view.yaml", f"{phase}/sheets/venice.yaml"),
        ("resolve", f"{phase}/state.yaml", "--seed", "x", "--out", f"{out}/next"),
        ("league", top, "--page", f"{out}/league.html"),
        ("export", top, f"{out}/played"),
        ("schedule", top),
        ("mail", "token", top, "venice"),
        ("mail", "send", top, "--at", AT),
        ("mail", "turn", top, "--at", AT),
        ("mail", "week", top, "--at", AT),
        ("absent", top, "venice", "2026-12-01..2026-12-02", "--at", AT),
        ("extend", top, "--to", "2026-12-05T19:00:00Z", "--why", "late", "--at", AT),
        ("hold", top, "--why", "storm", "--at", AT),
        ("resume", top, "--why", "calm", "--at", AT),
        ("replace", top, "venice=x@example.org", "--why", "gone", "--at", AT),
        ("amend", top, "--why", "slip", "--at", AT),
        ("report", top),
        ("close", top, "--at", AT),
        ("close", top, "--again", "--why", "late", "--at", AT),
        ("run", top, "--if-due", "--at", AT),
        ("run", top, "--deadline", "--at", AT),
        ("undo", top, "--why", "again", "--at", AT),
        ("git", "init", top, f"{out}/club.git", "--clone", f"{out}/referee", "--at", AT),
    ]


def _last(match: Path) -> str:
    return max(each.name for each in match.iterdir() if each.name[:4].isdigit())

"""Beginning a match: its folder, with the first phase open."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from adjudicator import __version__
from adjudicator.engine.folder import disk, papers
from adjudicator.engine.folder.commit import DONE, LOCK, OWN_FILE, OWN_FOLDER, STAGE, lay_out, locked
from adjudicator.engine.folder.disk import is_ours, staging
from adjudicator.engine.folder.errors import Faulty, problem
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.gate import Kind, kind_of
from adjudicator.engine.folder.names import ACCOUNT, CARD, LEDGER, OPEN, REFEREE, STATE, head_of
from adjudicator.engine.folder.papers import Card, Opening, Secrets
from adjudicator.engine.library import registry
from adjudicator.engine.library.registry import seats
from adjudicator.engine.library.texts import game_texts, needed_text, say, texts_of
from adjudicator.engine.match.run import Keep, Run, RunResult
from adjudicator.engine.play.inbox import FLAGS, flaws_in, options_of_new_match, with_flags
from adjudicator.engine.play.position import write_position
from adjudicator.engine.sheets.flaws import need_of
from adjudicator.engine.sheets.reading import folder_name
from adjudicator.engine.table.dice import commitment, seed_from
from adjudicator.engine.table.event import Player
from adjudicator.engine.table.reason import Refused
from adjudicator.engine.table.rulebook import Rulebook
from adjudicator.engine.table.secret import plain_of
from adjudicator.engine.text.problem import counted, nearest
from adjudicator.engine.text.source import Source, read

BEGUN = ".new"
"""In an empty folder: where the new match is made; it also shows that a beginning was cut short."""
IGNORED = f"{REFEREE}\n{ACCOUNT}\nmail.told\n{LOCK}\n{DONE}/\n{STAGE}/\n"
LONGEST_NAME = 80
ATTRIBUTES = "* -text\n"
"""Stops git from changing line ends: the chain covers bytes."""


def begin(  # noqa: PLR0913 - all that is settled before a match begins
    game: str,
    path: Path,
    players: Sequence[Player],
    *,
    options: Mapping[str, str] | None = None,
    seed_text: str = "",
    name: str = "",
    addresses: Mapping[Player, str] | None = None,
    names: Mapping[Player, str] | None = None,
    gm: str = "",
    due_text: str = "",
    schedule: Mapping[str, Any] | None = None,
    zones: Mapping[Player, str] | None = None,
    language: str = "",
    languages: Mapping[Player, str] | None = None,
    bots: Mapping[Player, str] | None = None,
    templates: str = "",
    keep: Keep | None = None,
) -> RunResult:
    """Makes a match in a new or empty folder, and plays it up to the first phase in which somebody is due.

    `seed_text` makes the match's secret seed from a text, for matches that are to be the same each time. `name` is the
    match's, by default its folder's; `names` are those of the persons who play, `bots` the seats that a program plays.
    `gm` is the address to which the players' pages mail sheets. `schedule`, the players' `zones`, and the `languages`
    in which they read (`language`: that of all others and the public) have been checked; `templates` is the folder of
    the group's own words, seen from the match's; `keep` returns the entries for
    the ledger. Raises Faulty.
    """
    try:
        rulebook = registry.rulebook(game)
    except registry.NoSuchGame as error:
        raise Faulty([problem("GAME", str(error))]) from None
    path = Path(os.path.abspath(path))  # noqa: PTH100  a link to the folder stays one
    _clear_leftovers(path)
    name = name or path.name
    if not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        said = f"a match's name has one line of at most {LONGEST_NAME} visible characters: {name!a}"
        raise Faulty([problem("--match", said)])
    if gm and not (gm.isprintable() and "@" in gm[1:-1]):
        raise Faulty([problem("--gm", f"{gm!a} isn't a mail address, such as somebody@example.org")])
    seats = in_table_order(rulebook, players)
    state = start(rulebook, name, seats, options or {})
    _check_deadlines(state, schedule or {})
    _check_bots(state, bots or {})
    seed = seed_from(seed_text) if seed_text else secrets.token_bytes(32)
    empty = path.is_dir()
    where, called = (
        {seat: by_seat[seat] for seat in seats if by_seat.get(seat)}
        for by_seat in (addresses or {}, names or {})
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with staging(path / BEGUN if empty else path.parent / f".{path.name}.tmp") as made:
            secret = Secrets(
                seed.hex(), where, called, gm, zones or {}, language, languages or {}, bots=bots or {}
            )
            _lay_out(made, state, secret, schedule or {}, templates)
            with locked(made):
                match = Folder(made)
                match.home = path
                ran = Run(match, due_text=due_text, keep=keep).play_on()
            _put_in_place(made, path)
    except OSError as error:
        if error.errno is None:
            raise  # Jinja raises it for a missing template: the rulebook's fault, not the folder's
        raise Faulty([problem(path, f"can't be written ({error.strerror})")]) from None
    return ran


def _check_deadlines(state: Any, schedule: Mapping[str, Any]) -> None:
    """Raises Faulty if sheets are to be locked until their phase closes, and no schedule says when that is."""
    if state.options.early_opening == "locked" and not schedule:
        said = "early_opening: locked needs a --schedule, which says when a phase closes and the sheets can be opened"
        raise Faulty([problem("--option", said)])


def _check_bots(state: Any, bots: Mapping[Player, str]) -> None:
    """Raises Faulty if the options ask players something in the middle of a phase, which no bot can answer."""
    if bots and state.options.pacing == "live":
        said = "with pacing=live players are asked in the middle of a phase, which no bot can answer; take pacing=batch"
        raise Faulty([problem("--bot", said)])


def _clear_leftovers(path: Path) -> None:
    """Removes what a killed `new` has left in an empty folder. Raises Faulty for a folder that isn't new or empty."""
    if not os.path.lexists(path):
        return
    there = {item.name for item in path.iterdir()} if path.is_dir() else {path.name}
    cut_short = BEGUN in there and CARD not in there and is_ours(path / BEGUN)
    if cut_short and all(_is_moved(name) for name in there - {BEGUN}):
        for item in sorted(path / name for name in there - {BEGUN}):
            disk.rmtree(item) if kind_of(item) is Kind.FOLDER else disk.unlink(item)
    elif there:
        raise Faulty([problem(path, "this is there already; a match begins in a new or empty folder")])


def _is_moved(name: str) -> bool:
    """Is the name one of those that a new match moves to its place?"""
    return head_of(name) is not None or name in (REFEREE, LEDGER, LOCK, ".gitignore", ".gitattributes")


def _suggestion(word: str | None) -> str:
    return f", did you mean {word}?" if word else ""


def in_table_order(rulebook: Rulebook[Any], players: Sequence[Player]) -> tuple[Player, ...]:
    """The players in the order of their table. Raises Faulty, naming all who can play."""
    tables = [table for count in sorted(rulebook.tables) for table in rulebook.tables[count]]
    for table in tables:
        if sorted(table) == sorted(players):
            return table
    known = sorted({player for table in tables for player in table})
    odd = [
        f"there is no player {player or repr(player)}{_suggestion(nearest(player, known))}"
        for player in dict.fromkeys(players)
        if player not in known
    ]
    twice = [f"{player} is named twice" for player in dict.fromkeys(players) if players.count(player) > 1]
    who = f"{', '.join(players)} can't play it together"
    if len(players) not in rulebook.tables:
        who = f"{counted(len(players), 'player')} can't play it" if players else "no players are named"
    possible = "; with ".join(f"{number}: {named}" for number, named in seats(rulebook))
    said = f"{'; '.join([*odd, *twice]) or who}; {rulebook.title} can be played with {possible}"
    raise Faulty([problem("--player", said)])


def start(rulebook: Rulebook[Any], match: str, players: tuple[Player, ...], given: Mapping[str, str]) -> Any:
    """The position with which the match begins. Raises Faulty for impossible options."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(rulebook.Options)}
    plain: dict[str, Any] = {}
    wrong = []
    for name, text in given.items():
        if name not in fields:
            mean = _suggestion(nearest(name, fields))
            said = f"there is no option {name or repr(name)}{mean}; there are {', '.join(fields)}"
            wrong.append(problem("--option", said))
            continue
        try:
            plain |= with_flags(rulebook, {name: value_of(text)})
            msgspec.convert(plain[name], fields[name].type)
        except (msgspec.ValidationError, OverflowError):
            flag = fields[name].type is bool
            schema = {"enum": [*FLAGS]} if flag else msgspec.json.schema(fields[name].type)
            needed = needed_text(need_of(schema), game_texts(""))
            wrong.append(problem("--option", f"{name}: {text or repr(text)} won't do; needed: {needed}"))
    if wrong:
        raise Faulty(wrong)
    options = msgspec.convert(options_of_new_match(rulebook, plain), rulebook.Options)
    try:
        state = rulebook.start(match, options, players)
    except Refused as refused:
        said = say(refused.reason, texts_of(rulebook))
        found = _option_at_fault(rulebook, match, players, plain)
        raise Faulty(
            [problem(*(("--option", f"{found}: {said}") if found else ("--player", said)))]
        ) from None
    for name in plain:
        wanted, has = getattr(options, fields[name].name), getattr(state.options, fields[name].name)
        if wanted not in (has, fields[name].default):
            wrong.append(
                problem("--option", f"{name}: {wanted} doesn't go with the players {', '.join(players)}")
            )
    wrong += [problem("--option", say(flaw.reason, texts_of(rulebook))) for flaw in flaws_in(rulebook, state)]
    if wrong:
        raise Faulty(wrong)
    return state


def _option_at_fault(
    rulebook: Rulebook[Any], match: str, players: tuple[Player, ...], plain: Mapping[str, Any]
) -> str:
    """The option without which these players could begin; empty if there is no such option."""
    for name in plain:
        rest = {other: value for other, value in plain.items() if other != name}
        try:
            options = msgspec.convert(options_of_new_match(rulebook, rest), rulebook.Options)
            rulebook.start(match, options, players)
        except Refused:
            continue
        return name
    return ""


def value_of(text: str) -> Any:
    """An option's value as YAML reads it: `8`, `true`, `[rome, carthage]`; anything that isn't YAML is text."""
    source = read(text.encode(), "--option")
    return source.plain if isinstance(source, Source) else text


def _lay_out(top: Path, state: Any, secret: Secrets, schedule: Mapping[str, Any], templates: str) -> None:
    """Writes the match's files and its first position."""
    options = plain_of(state.options)
    seed = commitment(bytes.fromhex(secret.seed))
    card = Card(
        match=state.match,
        rulebook=state.rulebook,
        players=tuple(state.players),
        options=options,
        seed=seed,
        version=__version__,
        schedule=schedule,
        bots=secret.bots,
        templates=templates,
    )
    phase = folder_name(state.phase)
    lay_out(
        top,
        {
            CARD: papers.text_of(card, "Everybody may know this. seed: the SHA-256 of the referee's seed."),
            ".gitignore": IGNORED.encode(),
            ".gitattributes": ATTRIBUTES.encode(),
            f"{phase}/{STATE}": write_position(state).encode(),
            f"{phase}/{OPEN}": papers.text_of(Opening(version=__version__)),
        },
    )
    disk.write(top / REFEREE, papers.text_for_referee(secret), OWN_FILE)
    disk.sync([top / REFEREE, top])


def _put_in_place(made: Path, path: Path) -> None:
    """Moves the match to its place. It begins when it, or in an empty folder its `match.yaml`, appears there."""
    if not path.exists():
        disk.rename(made, path)
        disk.sync([path.parent])
        return
    with suppress(OSError):  # somebody else's folder stays as it is, and `status` says so
        path.chmod(OWN_FOLDER)
    for item in sorted(made.iterdir()):
        if item.name != CARD:
            disk.rename(item, path / item.name)
    disk.sync([path])
    disk.rename(made / CARD, path / CARD)
    disk.sync([path])

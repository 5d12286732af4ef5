"""The page on which a browser throws all dice of a match again, once it is over and its seed is published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from adjudicator.engine.beacon.sources import Beacon
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import PROOF
from adjudicator.engine.folder.papers import paper
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.match.proof import Proof, proof_in
from adjudicator.engine.report.template import environment

PAGE = "dice.html"


def has_dice(match: Folder) -> bool:
    """Are the seed and the proof of a match published, so that anybody can throw its dice again?"""
    return (
        match.head(match.last).over
        and match.has(f"{match.phases[-1]}/{PROOF}")
        and match.secrets() is not None
    )


def dice_page(match: Folder) -> str:
    """The page: every throw with its text, which a script makes again from the seed. Raises Faulty."""
    name = f"{match.phases[-1]}/{PROOF}"
    secrets = match.secrets()
    assert secrets is not None
    phases = [phase for each in proof_in(match.read(name), name) for phase in thrown(each)]
    data = {
        "match": match.card.match,
        "seed": secrets.seed,
        "commitment": match.card.seed,
        "phases": phases,
    }
    frame = environment(texts_of(match.rulebook_for(None))).get_template("dice.html.j2")
    return str(frame.render(match=match.card, data=data, phases=phases)).rstrip("\n") + "\n"


def thrown(proof: Proof) -> Iterator[Mapping[str, Any]]:
    """A phase with its throws, as the script needs it; nothing for a phase without any.

    Throws made by hand come first, and can't be made again.
    """
    if not proof.lots:
        return
    drawn = paper(proof.beacon.encode(), PROOF, Beacon).value if proof.beacon else ""
    yield {
        "phase": proof.phase,
        "number": int(proof.phase.partition("-")[0]),
        "salts": list(proof.salts.values()),
        "drawn": drawn,
        "lots": [
            {**msgspec.to_builtins(lot), "hand": index < proof.by_hand}
            for index, lot in enumerate(proof.lots)
        ],
    }

"""The page on which a browser throws all dice of a match again, once it is over and its seed is published.

What drand gave for them it checks against drand's public key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec

from adjudicator.engine.beacon import quicknet
from adjudicator.engine.beacon.sources import Beacon, DiceSource
from adjudicator.engine.folder.closing import ClosedPhase
from adjudicator.engine.folder.folder import Folder
from adjudicator.engine.folder.names import PROOF
from adjudicator.engine.folder.papers import read_paper
from adjudicator.engine.library.texts import texts_of
from adjudicator.engine.match.proof import Proof, proof_in
from adjudicator.engine.report.template import environment

PAGE = "dice.html"
SECONDS = "%Y-%m-%d %H:%M:%S UTC"


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
    phases = list(thrown_phases(proof_in(match.read(name), name)))
    data = {
        "match": match.card.match,
        "seed": secrets.seed,
        "commitment": match.card.seed,
        "phases": phases,
        "drand": {"key": quicknet.PUBLIC_KEY.hex(), "domain": quicknet.DOMAIN.decode()},
    }
    frame = environment(texts_of(match.rulebook_for(None))).get_template("dice.html.j2")
    return str(frame.render(match=match.card, data=data, phases=phases)).rstrip("\n") + "\n"


def thrown_phases(proofs: Iterable[Proof]) -> Iterator[Mapping[str, Any]]:
    """Each phase with throws, as the script needs it. Raises Faulty.

    Throws made by hand come first, and can't be made again.
    """
    named: dict[DiceSource, datetime] = {}
    for proof in proofs:
        if proof.closed:
            closed = read_paper(proof.closed.encode(), PROOF, ClosedPhase)
            named[closed.dice] = closed.named_at
        if not proof.lots:
            continue
        beacon = read_paper(proof.beacon.encode(), PROOF, Beacon) if proof.beacon else None
        yield {
            "phase": proof.phase,
            "number": int(proof.phase.partition("-")[0]),
            "salts": list(proof.salts.values()),
            "drawn": beacon.value if beacon else "",
            "round": round_given(beacon, named) if beacon and beacon.source.drand else None,
            "lots": [
                {**msgspec.to_builtins(lot), "hand": index < proof.by_hand}
                for index, lot in enumerate(proof.lots)
            ],
        }


def round_given(beacon: Beacon, named: Mapping[DiceSource, datetime]) -> Mapping[str, Any]:
    """A round of drand: its number and signature, when it came out, and when it had been named."""
    number = beacon.source.drand
    return {
        "number": number,
        "message": quicknet.message_of(number).hex(),
        "signature": beacon.signature,
        "out": f"{quicknet.time_of(number):{SECONDS}}",
        "named": f"{named[beacon.source]:{SECONDS}}" if beacon.source in named else "",
    }

"""What the contract is told of each game: the mappings whose pieces come and go, which a position written by hand gives
whole; and what the reasons of refusals name.
"""

from pathlib import Path
from typing import Any

import yaml

REPLACED: dict[str, tuple[str, ...]] = {
    "mediterranee": ("galleys",),
    "rome-carthage": ("pieces",),
    "serenissima": ("galleys",),
    "oltremare": ("markers", "offers"),
    "triumvirat": (),
}

HINDRANCES: dict[str, dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("hindrances.yaml").read_text(encoding="utf-8")
)

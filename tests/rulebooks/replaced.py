"""Of each game the mappings of pieces that come and go, which a position written by hand gives whole."""

REPLACED: dict[str, tuple[str, ...]] = {
    "mediterranee": ("galleys",),
    "rome-carthage": ("pieces",),
    "serenissima": ("galleys",),
    "oltremare": ("markers", "offers"),
    "triumvirat": (),
}

"""The mappings of each game whose pieces come and go: a position written by hand gives them whole."""

REPLACED: dict[str, tuple[str, ...]] = {
    "mediterranee": ("galleys",),
    "rome-carthage": ("pieces",),
    "serenissima": ("galleys",),
    "oltremare": ("markers", "offers"),
    "triumvirat": (),
}

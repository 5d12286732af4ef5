"""Hostile sheets at the commands: numbers in quotes, and as much as fits into a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calling import adjudicator, lay_out, position

NUMBERS = ("1e999", "-1e999", "9" * 40, "0x" + "f" * 40, "1e5", ".inf", ".nan", "-0", "null", "~", "true", "")
PLACES = (
    'orders: [{{{0}: 3}}]',
    'orders: [{{buy: {0}}}]',
    'orders: [{{buy: wine, at: {0}}}]',
    'orders: [{{buy: wine, {0}: 3}}]',
    'orders: [{{buy: wine, at: venezia, if: {{{0}: {0}}}}}]',
    'orders: [{{buy: x, else: [{{{0}: {0}}}]}}]',
    'orders: [{0}]',
    'orders: {0}',
    'standing: {{passage: [{{for: {0}}}]}}',
    'standing: {{{0}: {0}}}',
    'later: {{movement: {{orders: [{{move: {0}, via: [{0}]}}]}}}}',
    'later: {{{0}: {{orders: []}}}}',
    'match: {0}',
    'phase: {0}',
    'salt: {0}',
    'ready: {0}',
    '{0}: {0}',
)  # fmt: skip


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_in_quotes_are_text_wherever_they_stand(tmp_path: Path, number: str) -> None:
    folder = lay_out(tmp_path, position("market"))
    for place in PLACES:
        text = "player: venice\n" + place.format(f'"{number}"') + "\n"
        (folder / "sheet.yaml").write_text(text)
        result = adjudicator("check", folder / "sheet.yaml")
        assert result.exit_code in (0, 1), text
    (folder / "sheet.yaml").write_text(f'player: "{number}"\norders: []\n')
    assert adjudicator("check", folder / "sheet.yaml").exit_code == 1


def test_a_number_in_quotes_is_said_in_quotes(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, position("market"))
    (folder / "sheet.yaml").write_text(
        'player: venice\norders: [{dismiss: "1e999", from: venice-1, at: x}]\n'
    )
    assert '"1e999"' in adjudicator("check", folder / "sheet.yaml").output

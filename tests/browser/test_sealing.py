"""A page for orders seals the sheet in the browser, as age seals it: for players of a repository who have no git."""

from __future__ import annotations

from pathlib import Path

import pyrage
import pytest

from adjudicator.engine.report.page_scripts import SealFacts, sealing_page
from adjudicator.git.sealed import Label, unseal
from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Visit
from tests.browser.visiting import DESK, PHONE

MOST_ADDED = 12_500
"""Bytes that the part for sealing adds to a page, at most."""


@pytest.fixture(scope="module")
def keys() -> list[pyrage.x25519.Identity]:
    return [pyrage.x25519.Identity.generate() for _ in range(2)]


@pytest.fixture
def page(market: Path, keys: list[pyrage.x25519.Identity], tmp_path: Path) -> Path:
    """Venice's page for the market of a match that is played in a repository."""
    recipients = [str(key.to_public()) for key in keys]
    seal = SealFacts(
        recipients,
        "lagoon",
        "0003-t1-market",
        "venice",
        "k7q2m9x4ptzc",
        "0003-t1-market.age",
        "box/lagoon/venice",
    )
    file = tmp_path / "orders.html"
    file.write_text(sealing_page(market.read_text(), seal))
    return file


def test_what_the_page_seals_is_opened_by_each_of_the_referees_keys(
    page: Path, keys: list[pyrage.x25519.Identity], visit: Visit
) -> None:
    with visit(page) as shown:
        shown.locator("#seal summary").click()
        shown.locator("#seal-do").click()
        shown.locator('[data-said="done"]').wait_for()
        sealed, sheet = shown.locator("#seal-text").input_value(), shown.locator("#sheet").input_value()
    for key in keys:
        label, content = unseal(sealed.encode(), [key])
        assert label == Label("sheet", "lagoon", "0003-t1-market", "venice", "k7q2m9x4ptzc")
        assert content.decode() == sheet
    with pytest.raises(pyrage.DecryptError):
        pyrage.decrypt(sealed.encode(), [pyrage.x25519.Identity.generate()])


def test_the_same_sheet_is_sealed_differently_each_time_and_in_the_same_size(
    page: Path, visit: Visit
) -> None:
    with visit(page) as shown:
        shown.locator("#seal summary").click()
        found = []
        for salt in ("", "a", "sea and sky"):
            shown.locator("#salt").fill(salt)
            shown.locator("#seal-do").click()
            shown.locator('[data-said="done"]').wait_for()
            found.append(shown.locator("#seal-text").input_value())
    assert len({*found}) == 3
    assert len({len(each) for each in found}) == 1


@pytest.mark.parametrize("length", [0, 1, 65535, 65536, 65537, 200_000])
def test_texts_of_any_length_are_sealed_as_age_seals_them(
    length: int, page: Path, keys: list[pyrage.x25519.Identity], visit: Visit
) -> None:
    script = (
        "(() => {"
        + "".join(
            (Path("templates/pages") / name).read_text() for name in ("noble-ciphers.min.js", "seal.js")
        )
        + "return sealed})()"
    )
    with visit(page) as shown:
        sealed = shown.evaluate(
            f"async ([length, keys]) => ({script})('é'.repeat(length), keys)",
            [length, [str(key.to_public()) for key in keys]],
        )
    assert pyrage.decrypt(sealed.encode(), [keys[1]]).decode() == "é" * length


def test_a_sheet_that_was_changed_must_be_sealed_again(page: Path, visit: Visit) -> None:
    with visit(page) as shown:
        shown.locator("#seal summary").click()
        shown.locator("#seal-do").click()
        shown.locator("#seal-after").wait_for()
        shown.locator("#salt").fill("other")
        assert shown.locator("#seal-after").is_hidden()


def test_a_browser_without_the_curve_says_so(page: Path, visit: Visit) -> None:
    text = page.read_text()
    old = '<script type="text/plain">'
    assert old in text
    other = "<script>crypto.subtle.generateKey = () => Promise.reject(1);</script>"
    page.write_text(text.replace(old, f"{other}\n{old}"))
    with visit(page) as shown:
        shown.locator("#seal summary").click()
        shown.locator('[data-said="cannot"]').wait_for()
        assert shown.locator("#seal-do").is_disabled()


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_part_for_sealing_is_for_everybody(width: int, page: Path, visit: Visit) -> None:
    with visit(page, width=width) as shown:
        shown.locator("#seal summary").click()
        shown.locator("#seal-do").click()
        shown.locator("#seal-after").wait_for()
        assert_accessible(shown)


def test_it_adds_little_to_a_page(page: Path, market: Path) -> None:
    assert page.stat().st_size - market.stat().st_size < MOST_ADDED


def test_other_matches_have_nothing_of_it(market: Path) -> None:
    assert "noble" not in market.read_text()


def test_without_a_key_or_a_token_a_page_stays_as_it_is(market: Path) -> None:
    text = market.read_text()
    for recipients, token in (([], "k7q2m9x4ptzc"), (["age1x"], "")):
        seal = SealFacts(recipients, "lagoon", "0003-t1-market", "venice", token, "f.age", "box")
        assert sealing_page(text, seal) == text


def test_a_name_from_a_file_ends_no_script(market: Path, visit: Visit, tmp_path: Path) -> None:
    name = "</script><img src=x onerror=alert(1)>"
    seal = SealFacts(["age1x"], name, name, name, "k7q2m9x4ptzc", name, name)
    file = tmp_path / "orders.html"
    file.write_text(sealing_page(market.read_text(), seal))
    with visit(file) as shown:
        shown.locator("#seal summary").click()
        assert name in shown.locator("#seal .hint").first.inner_text()

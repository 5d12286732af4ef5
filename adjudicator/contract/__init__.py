"""The contract that every rulebook passes, for our own rulebooks and others': `suite` is all of it, for pytest.

    from adjudicator.contract import suite
    TestCarters = suite(RULEBOOK, cases=Path(__file__).parent / "cases")

One module for each kind of promise; its functions return what is broken as sentences, none when all is well.
"""

from adjudicator.contract.promises import suite

__all__ = ["suite"]

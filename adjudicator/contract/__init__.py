"""The contract that every rulebook must pass, ours and others'. `suite` is the whole of it, for pytest.

    from adjudicator.contract import suite
    TestCarters = suite(RULEBOOK, cases=Path(__file__).parent / "cases")

There is one module for each family of promises. Its functions return what is broken as sentences, and none when all is
well.
"""

from adjudicator.contract.promises import suite

__all__ = ["suite"]

from pathlib import Path
from adjudicator.contract import suite
from adjudicator.rulebooks.oltremare import RULEBOOK
TestOltreMare = suite(RULEBOOK, cases=Path(__file__).parent.parent / "cases" / "oltremare", replaced=("markers", "offers"))

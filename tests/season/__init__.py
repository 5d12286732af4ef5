"""A club's season over a real mail server: many matches, people who write as people do, and a GM who does what is left.

`python -m tests.season --matches 30 --people 50 --days 90` plays all of it; `test_season.py` a small one.
"""

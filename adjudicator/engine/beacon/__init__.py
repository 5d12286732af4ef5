"""Dice that nobody holds: public numbers that nobody can know before their time, and locks that open with them.

`quicknet` has the rounds of the network drand, their times and their signatures, and says where a phase's dice come
from and what the source gave; `relays` asks for a round, and alone uses a network; `timelock` locks a file until a
round.
"""

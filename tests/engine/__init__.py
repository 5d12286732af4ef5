"""Tests of the engine, in its own wings, and the small games and matches that they play with."""

"""Tests of the engine, by its wings, and the small games and matches that they use."""

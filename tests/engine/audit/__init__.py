"""Tests of the engine's wing `match`."""

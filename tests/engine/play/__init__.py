"""Tests of the engine's wing `play`."""

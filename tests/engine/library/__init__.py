"""Tests of the engine's wing `library`."""

"""Tests of the engine's wing `text`."""

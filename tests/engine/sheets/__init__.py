"""Tests of the engine's wing `sheets`."""

"""Tests of the engine's wing `ahead`."""

"""Tests of the engine's wing `handout`."""

"""Tests of the engine's wing `audit`."""

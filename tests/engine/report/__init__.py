"""Tests of the engine's wing `report`."""

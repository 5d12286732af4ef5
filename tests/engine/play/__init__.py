"""Tests of engine/play."""

"""Tests of play by mail."""

"""Tests of the rulebooks."""

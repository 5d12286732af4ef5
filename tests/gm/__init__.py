"""Tests of what a GM needs around the adjudicator."""

"""Tests of the door: what becomes of what a player sends, and the face for other programs."""

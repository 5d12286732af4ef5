"""Tests of the program in a page."""

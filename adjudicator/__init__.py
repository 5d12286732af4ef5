"""Adjudicates games played by file: order sheets in, positions and reports out."""

__version__ = "0.2.0"

"""Adjudicates games played by file: order sheets in, positions and reports out."""

__version__ = "0.3.0.dev0"

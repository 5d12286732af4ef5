"""Tests of the engine's wing `folder`."""

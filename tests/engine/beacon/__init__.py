"""Tests of what nobody holds: rounds of drand, relays, time locks."""

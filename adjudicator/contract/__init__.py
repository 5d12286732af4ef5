"""The contract that every rulebook passes: one module for each kind of promise, for our own rulebooks and others'.

A test suite calls these functions; each returns what is broken as a list of sentences, empty when all is well.
"""

"""Scenarios of the rulebook: reading the files, setting positions up, running, checking, coverage.

The text of cards and moves is in the package above.
"""

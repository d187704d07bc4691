"""Scenarios of the rulebook: reading files, setting up positions, running, checking, coverage.

Cards and moves are written as in `canasta.notation`.
"""

"""Notation: the text of cards, moves and positions, records of games, and the scenarios of the rulebook.

Everything that is written here can also be read, and every error shows its location.
"""

"""The course of a hand: the deal, the effects of each move, and the scoring at the end.

Everything that deals or scores is here; `law` decides what is allowed.
"""

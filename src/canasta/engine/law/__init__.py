"""The laws of the game, one group of rules a module; each `why_not_…` answers with a number of `why_not`.

Melding, the pile, the first meld, going out, asking, discarding, cards with rules of their own; and whether a
turn can still be ended. How a turn goes on is in `play`; nothing is put into words here.
"""

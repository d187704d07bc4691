"""The laws of the game, one group of rules a module; each `why_not_…` answers with a number of `why_not`.

Melding, the pile, the first meld, going out, the discard. Nothing is changed here, and nothing is put
into words.
"""

"""The rules of the game, one group of rules per module: pure questions about a state.

A function `why_not_…` returns a reason code of `reasons`, which is `OK` (0) if the move is allowed. The
modules cover melding, the pile, going out, asking the partner, discarding and special cards. The effects of
moves are in `play`, and player-facing text is in `canasta.i18n`.
"""

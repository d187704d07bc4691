"""The arena: computer players against each other in duplicate matches, with intervals, ratings, reports,
statistics and speed.

The players' decisions are in `bots`; `commands` prints the results.
"""

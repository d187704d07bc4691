"""Computer players against each other: duplicate matches, intervals, ratings, reports, statistics, speed.

How a player decides is in `bots`; what is printed of the results, in `commands`.
"""

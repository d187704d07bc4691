"""Computer players against each other: duplicate matches, intervals, ratings, reports, statistics."""

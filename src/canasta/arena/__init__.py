"""Computer players against each other: duplicate matches, intervals, ratings, reports, what a hand looks like."""

"""The text of cards and moves, scenarios of the rulebook, records of games."""

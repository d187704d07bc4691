"""The engine: cards, melds, the turn, scoring, the match. No I/O, no global randomness."""

"""Rules that only one family of games has."""

"""Searches for a way to end a turn: an opening, a discard, a way out."""

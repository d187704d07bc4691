"""Searches that decide whether a turn can end: by a first meld, a discard, or going out."""

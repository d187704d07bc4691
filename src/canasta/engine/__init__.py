"""The engine: what a hand is, here; its rooms are `law`, `steps`, `moves`, `play` and `observing`.

What is allowed is in `law`; what follows, in `play`; `moves` are those of people, `steps` those of programs
that search or learn. No input or output, no clock, no words, no randomness but what it is given.
"""

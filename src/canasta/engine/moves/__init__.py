"""Moves as people make them: their types, checking and applying them, and the refusals.

The rules themselves are in `law`; the effects of a move are in `play`.
"""

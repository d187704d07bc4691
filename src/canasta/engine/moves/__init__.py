"""The moves of people: what they are, trying one, and why it is refused.

The rules themselves are in `law`, what follows from a move in `play`.
"""

"""How a hand runs: the deal, the course of a turn, the count at the end.

The one place that deals and counts; what is allowed is in `law`.
"""

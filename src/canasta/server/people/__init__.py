"""People: names, accounts, sessions, limits.

Where they are kept is in `store`.
"""

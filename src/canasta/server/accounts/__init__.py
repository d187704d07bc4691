"""Accounts: names, passwords, sessions, rate limits and turn alerts.

The data is in `store`.
"""

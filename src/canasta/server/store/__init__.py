"""Persistent data: table logs, players, the schema and its migrations.

SQLite by default, PostgreSQL by URL; this package doesn't know the rules of the game.
"""

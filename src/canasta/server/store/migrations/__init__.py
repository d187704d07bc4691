"""Migrations of the database. A change of `schema.py` is written down here as the next file of `versions`."""

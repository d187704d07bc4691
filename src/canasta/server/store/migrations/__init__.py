"""Database migrations. Every change of `schema.py` needs a new file in `versions`."""

"""Canasta: rules as data, one engine, every table."""

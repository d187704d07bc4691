"""The doors of the server: pages, REST, websockets, and who may knock.

What happens at a table is in `tables`, who people are in `people`.
"""

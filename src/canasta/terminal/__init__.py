"""The table in a terminal: widgets that draw frames as text, and a host for a local table.

The rules of a table are in `canasta.table`, not here.
"""

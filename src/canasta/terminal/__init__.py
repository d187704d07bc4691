"""The table in a terminal: frames drawn with characters, and a host for a local table.

The rules of a table are in `canasta.table`; nothing here knows them.
"""

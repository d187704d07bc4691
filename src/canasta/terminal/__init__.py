"""The table in a terminal: the frames of a table, drawn in characters, and a host for a table of one's own.

What a table is and does is in `canasta.table`; nothing here knows a rule.
"""

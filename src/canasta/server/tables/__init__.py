"""Tables in play: connections, clocks, computer players' turns, other server processes.

The table itself is in `canasta.table`.
"""

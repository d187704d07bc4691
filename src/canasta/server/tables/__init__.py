"""Tables in play: who is connected, clocks, computer players' turns, other server processes.

What a table is and does is in `canasta.table`.
"""

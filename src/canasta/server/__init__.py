"""The server: accounts, storage, clocks and connections around a table.

The packages are `http`, `accounts`, `store`, `tables` and `workers`; the built web client is in `static`. The
rules of a table are in `canasta.table`.
"""

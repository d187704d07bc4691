"""The server: `http`, `accounts`, `store`, `tables`, `workers`; the built web client is in `static`.

It adds accounts, storage, clocks and connections. The rules of a table are in `canasta.table`.
"""

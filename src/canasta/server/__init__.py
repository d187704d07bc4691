"""Tables on the network: `http`, `people`, `store`, `tables`, `thinking`; the built page in `static`.

It adds people, storage, clocks and connections, and no rules of a table: those are in `canasta.table`.
"""

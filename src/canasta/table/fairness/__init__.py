"""Checks of a table's cards: whether everything a viewer was shown follows from the seeds.

`observation` defines the part of each state that is kept, `ledger` follows every card through a hand,
`verdict` compares the two, and `transcript` is the file that a viewer can save. `docs/fair-cards.md`
specifies all of it; the browser's implementation is `web/src/lib/fairness.ts`.
"""

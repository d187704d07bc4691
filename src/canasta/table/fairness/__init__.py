"""Checks of a table's cards: whether everything a viewer was shown follows from the seeds.

`rounds` checks the seeds and whether the viewer could take part. `observation` defines which part of each
state is kept. `ledger` follows every card through a hand and compares it with the observations. `transcript`
is the file that a viewer can save. `docs/fair-cards.md` specifies all of it; the browser's implementation is
`web/src/lib/fairness.ts`.
"""

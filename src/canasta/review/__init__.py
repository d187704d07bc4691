"""Game review: which decisions cost points, and how much of the result was luck.

`estimator` contains the only estimator: it plays a position to its end with the club player in many possible
deals. `decisions` splits a hand into its players' decisions, and `evaluation` compares each with the best
alternative found. `hand` follows the expected points from the deal to the result and combines both, and
`narrative` puts them into words.
"""

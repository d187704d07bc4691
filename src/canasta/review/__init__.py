"""Game review: which decisions cost points, and how much of the result was luck.

`estimator` estimates the value of a position by playing it to its end with the club player in many possible
deals. `evaluation` splits a hand into its players' decisions and compares each with the best alternative
found. `hand` follows the expected points from the deal to the result and combines both, and `narrative`
describes them in sentences.
"""

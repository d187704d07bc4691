"""What a game was like to play: which decisions cost points, and how much of the result was luck.

`expected` has the one estimator: a position is played to its end by the club player in many possible deals.
`choices` cuts a hand into the decisions of its players, `judging` compares each with the best that was found,
`luck` follows the expected points from the deal to the result, `hand` brings both together, and `telling`
puts them into words.
"""

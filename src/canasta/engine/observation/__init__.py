"""Observations and actions: what a seat sees and may do, as numbers, for learners and for trained players.

`layout` defines the parts of an observation, `encoder` writes them, and `actions` numbers the actions of all
rulesets consistently. An observation contains nothing hidden. To train a critic on hidden cards, call
`Observer.write_hidden_to` explicitly.
"""

"""What a seat sees and may do, as numbers: for learners, and for players that have learned.

`pieces` says where every number lies, `observer` writes them, `actions` has the one numbering of actions for
all rules. Nothing hidden goes into an observation; who trains a judge may ask for hidden cards by name.
"""

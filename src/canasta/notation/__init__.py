"""The text of cards, moves and positions; records of games; `scenarios` of the rulebook.

What can be written is also read here, with the place of every slip. Sentences for people are in `words`.
"""

"""The front door: the classes that `import canasta` gives, over engine, notation, words and computer players.

No rule, no text and no judgement is decided here: what a name does stands in the layer below it. Programs of
this project go to those layers themselves.
"""

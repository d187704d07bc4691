"""The club player, and the weaker players made from it: what each decision weighs.

The tuned numbers are data; nothing here searches.
"""

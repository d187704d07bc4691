"""The expert, which compares the club player's choice with its rivals in many possible deals.

Deals are played out with the club player's policy. The texts of the explanations are in `canasta.i18n`.
"""

"""The expert: tries out the club player's choices and their rivals in possible deals.

Deals are played out with the club player's policy. The sentences for the findings are in `canasta.i18n`.
"""

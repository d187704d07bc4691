"""The expert: the club player's choices and their rivals, tried out in possible deals.

The judgement with which deals are played out is the club player's; the words for what was found are in
`words`.
"""

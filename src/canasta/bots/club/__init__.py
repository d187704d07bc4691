"""The club player, a player by tuned weights, and the weaker players made from it. Nothing here searches."""

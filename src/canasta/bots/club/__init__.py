"""The club player, which plays by tuned weights without searching, and the weaker players derived from it."""

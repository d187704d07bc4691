"""Learned players: `master` plays by a neural network trained in `training/`, and does not need PyTorch.

`network` runs the network. `coverage` decides which games it covers. `memory` and `table_context` keep what
the table showed. `player` is the master. `search` tries out the moves that the network finds likely: for
explanations, and for `grandmaster`, whose deals `deal_weighting` can select. Training itself is not part of
the package.
"""

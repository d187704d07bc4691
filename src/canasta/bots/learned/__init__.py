"""Players that have learned: `master` plays by a network that `training/` made, without PyTorch.

`memory` keeps what the table showed, `network` reckons, `player` plays. Learning is not in the package.
"""

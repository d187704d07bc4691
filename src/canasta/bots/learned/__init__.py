"""Players that have learned: `master` plays by a network that `training/` made, without PyTorch.

`network` reckons, `trained` and `house_rules` say which games it may be asked about, `memory` and `knowledge`
keep what the table showed. `player` is the master. `plans`, `judged` and `search` try out what the network
finds likely: for reasons, and for `grandmaster`, whose deals `weighing` can choose. Learning is not in the
package.
"""

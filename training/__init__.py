"""Training of learned players with PyTorch. Nothing in the package imports this folder.

`python -m training train` plays and learns, `python -m training duel` measures; README.md has the commands.
"""

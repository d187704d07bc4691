"""Training of learned players with PyTorch. The package never imports this folder.

`python -m training train` plays and learns, `python -m training duel` measures; README.md lists the commands.
"""

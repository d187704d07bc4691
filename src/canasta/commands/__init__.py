"""The command line: `cli` dispatches to a command, and each command is a module.

Commands share their options (`options`) and their output (`output`). The rules of the game and the logic of a
table are in other packages.
"""

"""The command line: `cli` dispatches to a command, and each command is a module.

Commands share options (`options`), the choice of rules (`rules_args`) and output (`output`). The rules of
the game and the logic of a table are in other packages.
"""

"""The command line: `line` finds a command, and each command is a module: what can be asked, and doing it.

What several share is in `options` (what can be asked), `asked` (which rules) and `output`. Nothing here
knows a rule of the game or of a table.
"""

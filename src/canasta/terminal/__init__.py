"""The table in a terminal: the frames of the wire, drawn in characters."""

"""A table without a network: seats, log, commands, views, frames, messages.

No clocks, sockets, storage or screens; the server and the terminal bring those.
"""

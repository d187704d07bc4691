"""Processes in which computer players think, and the queue in front of them.

Nothing that thinks runs on the server's loop.
"""

"""Worker processes for bots, replays and reviews, with their queues.

Heavy computation never runs on the server's loop.
"""

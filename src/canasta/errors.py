"""The error above all others of canasta; it stands below every layer, so that each can raise it."""


class CanastaError(Exception):
    """Something that canasta cannot or may not do; the message says what, in a sentence or two.

    A move that the rules refuse, text that is no card, rules that make no game, a player that breaks down:
    all of them are kinds of it, so that one `except` is enough.
    """

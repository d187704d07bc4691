"""The base class of all errors. This module is below every layer, so that any of them can raise it."""


class CanastaError(Exception):
    """Base class of all errors of canasta, each with a clear message.

    An illegal move, invalid text, rules that are not a game, and a failing computer player are all
    subclasses, so one `except` catches them all.
    """

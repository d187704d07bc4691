"""The base class of all errors, and the two errors that every layer raises."""

from canasta.i18n import Message


class CanastaError(Exception):
    """Base class of all errors of canasta, each with a clear message.

    Illegal moves, invalid text, invalid rules and failing computer players all raise subclasses, so one
    `except` catches them all. The message is a `Message` if players can cause the error, and otherwise
    English text for programmers.
    """

    @property
    def message(self) -> Message:
        """The message with its code; only for errors that players can cause."""
        message = self.args[0]
        assert isinstance(message, Message)
        return message

    def in_language(self, lang: str = "en") -> str:
        """Return the message in a language if it is a `Message`, and otherwise as `str` does."""
        message = self.args[0] if self.args else ""
        return str(message.text(lang)) if isinstance(message, Message) else str(self)


class InputError(CanastaError, ValueError):
    """An input that cannot be used; the message explains why."""


class UnknownNameError(CanastaError, IndexError, ValueError):
    """An unknown name of a language, seat, lesson or the like."""

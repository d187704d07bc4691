"""Messages in six languages: message codes with typed facts, and the catalogues that turn them into text.

This is the bottom layer: every part of canasta, from a rule to a command, provides a `Message`, and `voice`
formats it for a reader. There is one catalogue per language, `catalogues/LANGUAGE/PART.json`, for browser,
terminal and command line alike. Importing this package loads no catalogue.
"""

from canasta.i18n.message import Fact, Facts, Message, MessageText

__all__ = ["Fact", "Facts", "Message", "MessageText"]

"""What is said to players: whole sentences."""

from canasta.engine.moves.refusals import Refusal
from canasta.words import tell_refusal


def check_told(refusal: Refusal, language: str = "de") -> None:
    """The refusal can be said in this language, in whole sentences."""
    message, remedy = tell_refusal(refusal, language)
    for text in (message, remedy):
        assert not set("{}#|^~") & set(text.replace("run#1", "")), text
        assert text == " ".join(text.split(" ")).strip(), text
        assert "  " not in text
        assert not text or text[0].isupper(), text
        assert not text or text.endswith("."), text
    assert message

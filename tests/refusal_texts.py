"""Texts for players are whole sentences."""

from canasta.engine.moves.refusals import Refusal


def check_refusal_text(refusal: Refusal, language: str = "de") -> None:
    """Check that the refusal has a text in this language, in complete sentences."""
    message, remedy = refusal.text(language)
    for text in (message, remedy):
        assert not set("{}#|^~") & set(text.replace("run#1", "")), text
        assert text == " ".join(text.split(" ")).strip(), text
        assert "  " not in text
        assert not text or text[0].isupper(), text
        assert not text or text.endswith("."), text
    assert message

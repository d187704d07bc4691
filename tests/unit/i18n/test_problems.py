"""Requests that a table, its host or its server can't grant: a code with facts, worded for the reader."""

import errno
import pickle

import msgspec
import pytest

from canasta.bots.protocol import BotError
from canasta.errors import InputError
from canasta.i18n import Message
from canasta.i18n.catalogue import languages, texts
from canasta.i18n.voice import reason_fact, reason_in
from canasta.table.errors import problem_of, tell_problem
from canasta.table.names import clean_name
from canasta.table.wire import Problem


@pytest.mark.parametrize("language", languages()[1:])
def test_a_problem_is_told_where_it_is_read(language: str) -> None:
    sent = problem_of("too_long", "TOO_LONG", {"most": 2000}, answers="x")
    read = msgspec.json.decode(msgspec.json.encode(sent), type=Problem)
    assert (read.message, tell_problem(read)) == ("A message can have at most 2000 bytes.",) * 2
    assert "2000" in tell_problem(read, language)
    assert tell_problem(read, language) != read.message


@pytest.mark.parametrize(
    "strange",
    [
        Problem(code="busy", message="English."),
        Problem(code="busy", message="English.", reason="NEWER"),
        Problem(code="busy", message="English.", reason="TOO_LONG"),
        Problem(code="busy", message="English.", reason="BAD_MESSAGE", facts={"most": 1}),
    ],
)
def test_what_a_newer_server_tells_is_told_in_its_own_words(strange: Problem) -> None:
    assert tell_problem(strange, "de") == "English."


def test_a_name_that_cannot_be_used_carries_its_reason() -> None:
    with pytest.raises(InputError, match="at most 24 characters") as caught:
        clean_name("x" * 25)
    assert caught.value.message == Message("problems.NAME_TOO_LONG", {"most": 24})


def test_a_player_that_cannot_sit_down_is_told_in_the_language() -> None:
    error = pickle.loads(pickle.dumps(BotError(Message("players.NO_FILE", {"name": "my.py"}))))  # noqa: S301 - our own bytes
    assert str(error) == 'there’s no player file "my.py"; its name must end in .py'
    assert error.in_language("it") == "non c’è un file «my.py» con un giocatore; il suo nome finisce in .py"


def test_reasons_of_the_system_have_words() -> None:
    for name in texts("en", "system"):
        error = OSError(getattr(errno, name), "Words of the System")
        assert reason_fact(error) == name
        assert reason_in(error, "fr") == texts("fr", "system")[name]
    assert reason_in(OSError(errno.EXDEV, "Words of the System."), "fr") == "words of the System"

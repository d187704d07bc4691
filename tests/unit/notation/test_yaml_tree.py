"""YAML as a tree of texts: lines, limits, and `ScenarioError` as the only error."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from canasta.notation.errors import ScenarioError
from canasta.scenarios.reader import LARGEST_FILE, Node, read_documents


def one(text: str) -> Node:
    (document,) = read_documents(text)
    return document


def values(node: Node) -> dict[str | None, Node]:
    assert node.pairs is not None
    return {key.text: value for key, value in node.pairs}


def test_scalars_keep_their_text_and_lines() -> None:
    node = one("a: 010\nb:\n  - 8\n  - '9'\n  - yes\n")
    assert values(node)["a"].text == "010"
    items = values(node)["b"].items
    assert items is not None
    assert [(item.text, item.line, item.plain) for item in items] == [
        ("8", 3, True),
        ("9", 4, False),
        ("yes", 5, True),
    ]


def test_null_and_blank() -> None:
    found = values(one('{a: , b: ~, c: null, d: "", e: "null", f: K}'))
    assert [found[key].is_null for key in "abcdef"] == [True, True, True, False, False, False]
    assert [found[key].is_blank for key in "abcdef"] == [True, True, True, True, False, False]


def test_keys_given_twice_are_noticed() -> None:
    node = one("{0: K, '0': Q, a: 1}")
    assert node.repeated == ["0"]
    assert values(node)["0"].text == "K"


def test_aliases_and_merges() -> None:
    node = one("[&base {a: 1, b: 2}, {<<: *base, b: 3}, {<<: [*base], c: 4}, *base]")
    assert node.items is not None
    assert {key: value.text for key, value in values(node.items[1]).items()} == {"b": "3", "a": "1"}
    assert {key: value.text for key, value in values(node.items[2]).items()} == {"c": "4", "a": "1", "b": "2"}
    assert values(node.items[3])["a"].text == "1"


def test_tags_make_nothing() -> None:
    assert one("!!python/object/apply:os.system [ls]").items is not None
    assert one("!!binary SGVsbG8=").text == "SGVsbG8="


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a: [", "isn’t YAML"),
        ("a: b: c", "isn’t YAML"),
        ("a: *nothing", "doesn’t refer to anything"),
        ("&a [*a]", "doesn’t refer to anything"),
        ("? [a, b]\n: c", "can’t be a key"),
        ("<<: 3", "<< needs a mapping"),
        ("[" * 5000, "too deep"),
        ("x" * (LARGEST_FILE + 1), "larger than"),
        ("a: \x00", "isn’t YAML"),
        ("%YAML 1." + "9" * 5000 + "\n---\na", "isn’t YAML"),
        ('"\\U99999999"', "isn’t YAML"),
        ("a: \ud800", "isn’t YAML"),
    ],
)
def test_what_cannot_be_read_is_told(text: str, part: str) -> None:
    with pytest.raises(ScenarioError, match=part):
        read_documents(text)


def test_a_bomb_of_aliases_does_not_go_off() -> None:
    lines = ["- &x0 [K, K, K, K, K, K, K, K, K, K]"]
    lines += [f"- &x{i + 1} [{', '.join([f'*x{i}'] * 10)}]" for i in range(9)]
    with pytest.raises(ScenarioError, match="expands to more"):
        read_documents("\n".join(lines))


@given(st.one_of(st.text(), st.text(alphabet="-:[]{}&*!|>'\"%@`#,? \nKa0<"), st.binary().map(repr)))
def test_any_text_is_a_tree_or_an_error(text: str) -> None:
    try:
        documents = read_documents(text)
    except ScenarioError as error:
        assert str(error)
    else:
        assert all(isinstance(document, Node) for document in documents)

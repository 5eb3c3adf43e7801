import json

import pytest

from installer.settings.text import document
from installer.settings.text.document import Malformed


def spans(text: str) -> list[str]:
    """Every value of the document as it is written there."""

    def walk(node: document.Node) -> list[str]:
        inner = [element for part in node.parts for element in walk(part.node)]
        return [text[node.start : node.end], *inner]

    return walk(document.parse(text))


def test_every_value_is_found_where_it_stands() -> None:
    text = ' { "a" : [1.0, -2e5 , "x\\"}"],\r\n\t"b":{} , "é":null}\n'

    assert spans(text) == [text.strip(), '[1.0, -2e5 , "x\\"}"]', "1.0", "-2e5", '"x\\"}"', "{}", "null"]


def test_of_doubled_names_the_last_is_found() -> None:
    text = '{"a": 1, "a": 2}'
    part = document.parse(text).find("a")

    assert part is not None
    assert text[part.node.start : part.node.end] == "2"


def test_escaped_names_are_the_same_names() -> None:
    assert document.parse('{"\\u0068ooks": 1}').find("hooks") is not None


def test_a_long_integer_is_no_problem() -> None:
    assert document.parse("9" * 10_000).kind == "scalar"


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ('{\n  "a": 1,\n  // why\n  "b": 2\n}', 3, 3, "a comment, which JSON does not have"),
        ('{"a": /* why */ 1}', 1, 7, "a comment, which JSON does not have"),
        ('{\r\n  "a": [1, 2,]\r\n}', 2, 14, "a comma with nothing after it"),
        ('{"a": NaN}', 1, 7, "not a JSON value"),
        ('{"a": -Infinity}', 1, 7, "not a JSON value"),
        ('{"a": 1} x', 1, 10, "extra data"),
        ('{"a": "b', 1, 7, "unterminated string starting at"),
        ("[" * 100_000, 1, 1, "nested too deeply"),
    ],
)
def test_what_the_client_would_refuse_is_refused_at_its_place(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(Malformed) as problem:
        document.parse(text)

    assert problem.value.reason == reason
    assert document.position(text, problem.value.offset) == (line, column)


def test_string_is_only_for_strings() -> None:
    root = document.parse(json.dumps({"text": "a\nb", "number": 1, "nothing": None}))

    assert [root.string(name) for name in ("text", "number", "nothing", "none")] == ["a\nb", None, None, None]

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from installer.settings import document
from installer.settings.document import Malformed, Raw
from tests import peak_memory
from tests.installer.documents import NUMBERS, texts

HALF = "\ud83d"
NAMES = st.sampled_from(["hooks", "env", "model", "ü", ""])
VALUES = st.recursive(
    st.none() | st.booleans() | st.text(max_size=3) | NUMBERS.map(Raw),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def pairs(text: str) -> list[tuple[str, Any]]:
    """The members, including doubled ones, with their values as written."""
    return [(member.name, text[member.value : member.end]) for member in document.members(text)]


def test_every_member_is_found_in_its_place() -> None:
    text = ' { "a" : [1.0, -2e5 , "x\\"}"],\r\n\t"\\u0062":{} , "é":null}\n'

    assert pairs(text) == [("a", '[1.0, -2e5 , "x\\"}"]'), ("b", "{}"), ("é", "null")]
    assert [text[member.start] for member in document.members(text)] == ['"'] * 3
    assert document.value(text, "a") == [Raw("1.0"), Raw("-2e5"), 'x"}']


def test_the_last_of_doubled_names_is_found() -> None:
    assert document.raw('{"a": 1, "a": 2}', "a") == "2"
    assert document.put('{"a": 1, "a": 2}', "a", "x") == '{"a": 1, "a": "x"}'
    assert document.remove_member('{"a": 1, "a": 2, "b": 3}', "a") == '{"a": 1, "b": 3}'


@pytest.mark.parametrize("text", ["[]", "null", '"x"', "9" * 10_000])
def test_a_value_that_is_no_object_has_no_members(text: str) -> None:
    assert not document.is_object(text)
    assert (document.members(text), document.value(text, "a"), document.raw(text, "a")) == ((), None, None)
    assert document.remove_member(text, "a") == text


@given(texts(), NAMES, VALUES)
def test_a_put_value_is_there_and_everything_else_stays(text: str, name: str, value: Any) -> None:
    after, member = document.put(text, name, value), document.find(text, name)

    assert document.value(after, name) == value
    if member is not None:
        assert after.startswith(text[: member.value])
        assert after.endswith(text[member.end :])
        assert [pair[0] for pair in pairs(after)] == [pair[0] for pair in pairs(text)]
    else:
        assert pairs(after)[:-1] == pairs(text)
        assert "".join(document.remove_member(after, name).split()) == "".join(text.split())
        assert document.remove_member(after, name) == text or not pairs(text)


@given(texts(), NAMES)
def test_removing_a_member_removes_a_comma_and_nothing_else(text: str, name: str) -> None:
    after, before = document.remove_member(text, name), pairs(text)
    last = max((index for index, pair in enumerate(before) if pair[0] == name), default=len(before))

    assert pairs(after) == before[:last] + before[last + 1 :]
    assert after.partition("{")[0] == text.partition("{")[0]
    assert after.rpartition("}")[2] == text.rpartition("}")[2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", '{\n  "b": [\n    "x"\n  ]\n}'),
        ("{ \n }\n", '{\n  "b": [\n    "x"\n  ]\n}\n'),
        ('{"a":1}', '{"a":1, "b": [ "x" ]}'),
        ('{ "a": 1 }', '{ "a": 1, "b": [ "x" ] }'),
        ('{\n    "a": 1\n}', '{\n    "a": 1,\n    "b": [\n        "x"\n    ]\n}'),
        ('{\n\t"a" : 1\n}', '{\n\t"a" : 1,\n\t"b": [\n\t\t"x"\n\t]\n}'),
        ('{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "b": [\r\n    "x"\r\n  ]\r\n}\r\n'),
        ('{\n"a": 1\n}', '{\n"a": 1,\n"b": [\n"x"\n]\n}'),
        ('{\n  "b": {"k": 1}, "a": 1\n}', '{\n  "b": [\n    "x"\n  ], "a": 1\n}'),
    ],
)
def test_a_value_has_the_indent_of_the_file(text: str, expected: str) -> None:
    assert document.put(text, "b", ["x"]) == expected


@given(st.dictionaries(st.text(max_size=3), VALUES, min_size=1, max_size=3))
def test_new_text_has_the_clients_layout(value: dict[str, Any]) -> None:
    plain = json.loads(document.dump(value))

    assert document.load(document.dump(value)) == value
    if "Raw" not in str(value):
        assert document.dump(value) == json.dumps(plain, indent=2, ensure_ascii=False)


def test_a_lone_surrogate_is_written_as_an_escape() -> None:
    text = document.put("{}", "a", {HALF: [HALF, "é"]})

    assert json.loads(text.encode()) == {"a": {HALF: [HALF, "é"]}}
    assert "é" in text


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{\n  "a": 1,\n  // why\n  "b": 2\n}', 3, 3),
        ('{"a": /* why */ 1}', 1, 7),
        ('{"a": 1} x', 1, 10),
        ('{"a": "b', 1, 7),
        ("[" * 100_000, 1, 1),
        ('{"a": "NaN", "b": NaN}', 1, 19),
        ('{"a":\n-Infinity}', 2, 1),
    ],
)
def test_text_the_client_would_refuse_is_refused_at_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(Malformed) as problem:
        document.load(text)

    assert document.position(text, problem.value.offset) == (line, column)


def test_the_search_for_refused_text_takes_little_memory(tmp_path: Path) -> None:
    """It once took 120 bytes a character."""
    plain, suspicious = tmp_path / "plain", tmp_path / "suspicious"
    plain.write_text(json.dumps({"a": "\\n" * 2_000_000}))
    suspicious.write_text(json.dumps({"a": "\\n" * 2_000_000, "b": "NaN"}))
    program = "import sys; from installer.settings import document; document.load(open(sys.argv[1]).read())"
    environ = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
    peaks = [
        peak_memory.measure([sys.executable, "-c", program, str(path)], env=environ) for path in (plain, suspicious)
    ]
    assert [code for _, code, _ in peaks] == [0, 0]
    assert peaks[1][2] < peaks[0][2] + 8_000_000


def test_a_value_with_a_doubled_name_is_refused() -> None:
    text = '{"a": 1, "a": [{"b": {"c": 1, "c": 2}}]}'
    with pytest.raises(Malformed, match='"c" stands twice'):
        document.refuse_doubled_names(text, text.index("["))

    document.refuse_doubled_names('{"a": [{"b": 1}, {"b": 1}]}', 0)

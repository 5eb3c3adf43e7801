import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from installer.settings.text import document, edit
from tests.installer.documents import joined, scalars


def appended(text: str, values: edit.Container, inside: str | None = None) -> str:
    root = document.parse(text)
    part = root.find(inside) if inside is not None else None
    return edit.append(text, part.node if part else root, values)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", '{\n  "b": "x"\n}'),
        ("{}\n", '{\n  "b": "x"\n}\n'),
        ('{"a":1}', '{"a":1,"b":"x"}'),
        ('{"a": 1}', '{"a": 1, "b": "x"}'),
        ('{ "a": 1 }', '{ "a": 1, "b": "x" }'),
        ('{\n    "a": 1\n}', '{\n    "a": 1,\n    "b": "x"\n}'),
        ('{\n\t"a" : 1\n}', '{\n\t"a" : 1,\n\t"b" : "x"\n}'),
        ('{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "b": "x"\r\n}\r\n'),
        ('{\n"a": 1\n}', '{\n"a": 1,\n"b": "x"\n}'),
        ('{\n  "z": 0,\n\n  "a": 1}', '{\n  "z": 0,\n\n  "a": 1,\n\n  "b": "x"}'),
    ],
)
def test_a_new_member_looks_like_the_one_before_it(text: str, expected: str) -> None:
    assert appended(text, {"b": "x"}) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{\n  "l": []\n}', '{\n  "l": [\n    {\n      "k": 1\n    }\n  ]\n}'),
        ('{\n  "l": [\n  ]\n}', '{\n  "l": [\n    {\n      "k": 1\n    }\n  ]\n}'),
        ('{\n  "l": [0]\n}', '{\n  "l": [0, {"k": 1}]\n}'),
        ('{\n\t"l": [\n\t\t0\n\t]\n}', '{\n\t"l": [\n\t\t0,\n\t\t{\n\t\t\t"k": 1\n\t\t}\n\t]\n}'),
        ('{"l":[0]}', '{"l":[0,{"k":1}]}'),
        ('{"l":[]}', '{"l":[{"k":1}]}'),
    ],
)
def test_a_new_item_takes_the_indentation_of_its_list(text: str, expected: str) -> None:
    assert appended(text, [{"k": 1}], "l") == expected


@pytest.mark.parametrize("index", [0, 1, 2])
@pytest.mark.parametrize("text", ["[1, 2, 3]", "[\n  1,\n  2,\n  3\n]", "[1,2,3]", "[ 1 , 2 , 3 ]"])
def test_a_removed_item_takes_its_comma_along(text: str, index: int) -> None:
    root = document.parse(text)
    result = edit.remove(text, root, root.parts[index])

    assert json.loads(result) == [i + 1 for i in range(3) if i != index]


@pytest.mark.parametrize("text", ["[1]", "[\n  1\n]"])
def test_an_emptied_container_closes_up(text: str) -> None:
    root = document.parse(text)

    assert edit.remove(text, root, root.parts[0]) == "[]"


@given(st.data(), st.lists(scalars(), min_size=1, max_size=6))
def test_many_are_removed_as_one_after_the_other_from_the_last(data: st.DataObject, items: list[str]) -> None:
    text = one_by_one = data.draw(joined("[]", items))
    chosen = sorted(data.draw(st.sets(st.integers(0, len(items) - 1))))
    root = document.parse(text)
    for index in reversed(chosen):
        present = document.parse(one_by_one)
        one_by_one = edit.remove(one_by_one, present, present.parts[index])

    assert edit.substitute(text, edit.removals(root, [root.parts[index] for index in chosen])) == one_by_one


@given(st.data(), st.lists(scalars(), min_size=1, max_size=3), st.integers(1, 4))
def test_many_are_appended_as_one_after_the_other(data: st.DataObject, items: list[str], count: int) -> None:
    text = one_by_one = data.draw(joined("[]", items))
    for _ in range(count):
        one_by_one = edit.append(one_by_one, document.parse(one_by_one), [{"k": 1}])

    assert edit.append(text, document.parse(text), [{"k": 1}] * count) == one_by_one


def test_what_is_not_ascii_is_written_as_it_is() -> None:
    assert appended('{"ü":1}', {"b": "é"}) == '{"ü":1,"b":"é"}'


def test_half_a_character_is_written_as_an_escape() -> None:
    half = "\ud83d"
    text = appended("{}", {half: {half: half}})
    assert text.isascii()
    assert json.loads(text) == {half: {half: half}}

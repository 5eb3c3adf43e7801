"""Hostile documents: captured ones with parts replaced, cut, doubled, nested or flooded."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

PAYLOADS = Path(__file__).parents[1] / "payloads"
DEEP = 3_000

ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    1e308,
    2**63,
    10**400,
    -(10**400),
    "",
    "\x00",
    "\ud83d",
    "\x1b[2J\x07",
    "../../x",
    "x" * 5_000,
    [],
    {},
    [[]],
]
VALUES: SearchStrategy[Any] = st.recursive(
    st.sampled_from(ODD) | st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)
NESTS = st.sampled_from([b"[" * DEEP, b"[" * DEEP + b"]" * DEEP, b'{"a":' * DEEP + b"1" + b"}" * DEEP])
_NUMBERS = st.sampled_from([b"9" * 5_000, b"-" + b"9" * 5_000, b"1e99999", b"NaN", b"-0", b"0." + b"1" * 5_000])


def mutated(value: Any, choose: Callable[[Sequence[Any]], Any], odd: Callable[[], Any]) -> Any:
    """`value` with one part of it, at any depth, taken away or replaced by an `odd` one."""
    if not isinstance(value, dict | list) or not value or choose(range(4)) == 0:
        return odd()
    if isinstance(value, list):
        place = choose(range(len(value)))
        return [*value[:place], mutated(value[place], choose, odd), *value[place + 1 :]]
    key = choose(sorted(value))
    rest = {name: item for name, item in value.items() if name != key}
    return rest if choose(range(6)) == 0 else value | {key: mutated(value[key], choose, odd)}


def every_change(value: Any) -> Iterator[Any]:
    """`value` with each part of it, at any depth, taken away, and replaced by each odd one."""
    yield from ODD
    places = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for place, part in places:
        yield _without(value, place)
        for other in every_change(part):
            yield _with_part(value, place, other)


def _without(container: Any, place: Any) -> Any:
    copy = container.copy()
    del copy[place]
    return copy


def _with_part(container: Any, place: Any, part: Any) -> Any:
    copy = container.copy()
    copy[place] = part
    return copy


@st.composite
def variants(draw: DrawFn, document: bytes) -> bytes:
    """Hostile variants of `document`, which is JSON or any other text."""
    way = draw(st.integers(0, 7))
    if way <= 3:
        try:
            choose = lambda options: draw(st.sampled_from(options))  # noqa: E731  in one place
            return json.dumps(mutated(json.loads(document), choose, lambda: draw(VALUES))).encode()
        except ValueError:
            way = 4
    at = draw(st.integers(0, len(document)))
    if way == 4:
        return document[:at]
    if way == 5:
        return document[:at] + draw(st.binary(min_size=1, max_size=20)) + document[at + draw(st.integers(0, 9)) :]
    if way == 6:
        return _with(document, draw(NESTS | _NUMBERS))
    return draw(st.binary(max_size=200) | NESTS)


def _with(document: bytes, value: bytes) -> bytes:
    """An object with `value` as the value of its first name, whatever that is."""
    name, colon, rest = document.partition(b":")
    return name + colon + value + b"," + rest.partition(b",")[2] if colon else value

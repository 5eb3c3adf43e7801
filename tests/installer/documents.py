"""Odd settings: JSON texts with any layout, and hooks of any shape."""

import json
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from shared.registrations import EVENTS, REGISTRATIONS, Registration, enabled

SPACE = st.sampled_from(["", " ", "  ", "\t", "\n", "\n  ", "\r\n\t"])
NUMBERS = st.sampled_from(["0", "-0", "1.0", "1e5", "1E+05", "12345678901234567890123", "0.10"])
STRINGS = st.sampled_from(['""', '"ü"', '"\\u00fc"', '"a\\/b"', '"{\\"x\\": [1,}"', '"\u2028"', '"😀"'])
NAMES = st.sampled_from(["env", "model", "permissions", "ü", "a b", ""])
FOREIGN_COMMAND = {"type": "command", "command": "~/bin/mine --fast"}

HANDLERS = st.lists(st.sampled_from([FOREIGN_COMMAND, {"type": "http", "url": "x"}, None, 7, {"type": "command"}]))
GROUPS = st.lists(
    st.one_of(
        st.builds(lambda hooks: {"matcher": "Bash", "hooks": hooks}, HANDLERS),
        st.builds(lambda hooks: {"hooks": hooks}, HANDLERS),
        st.sampled_from([None, "group", {"hooks": "odd"}, {}]),
    ),
    max_size=3,
)
HOOKS = st.dictionaries(st.sampled_from([*EVENTS[:4], "Stop"]), GROUPS)
PARTS = sorted({part for entry in REGISTRATIONS for part in entry.parts})


def registrations_enabled() -> SearchStrategy[tuple[Registration, ...]]:
    """The registrations of some configuration."""
    return st.fixed_dictionaries({part: st.booleans() for part in PARTS}).map(enabled)


STATUS_LINES: SearchStrategy[Any] = st.sampled_from(
    [FOREIGN_COMMAND, FOREIGN_COMMAND | {"padding": 0}, None, "odd", {"type": "command"}, {"command": "x"}, []],
)


@st.composite
def texts(draw: DrawFn) -> str:
    """The text of one settings object."""
    members = draw(st.lists(st.tuples(NAMES, scalars() | containers()), max_size=4))
    if draw(st.booleans()):
        members.append(("hooks", draw(laid_out(draw(HOOKS)))))
    if draw(st.booleans()):
        members.append(("statusLine", draw(laid_out(draw(STATUS_LINES)))))
    members = draw(st.permutations(members))
    gap = draw(SPACE)
    parts = [json.dumps(name, ensure_ascii=False) + ":" + gap + text for name, text in members]
    return draw(SPACE) + draw(joined("{}", parts)) + draw(SPACE)


def scalars() -> SearchStrategy[str]:
    return NUMBERS | STRINGS | st.sampled_from(["true", "false", "null"])


def containers() -> SearchStrategy[str]:
    return st.lists(scalars(), max_size=3).flatmap(lambda items: joined("[]", items))


@st.composite
def laid_out(draw: DrawFn, value: Any) -> str:
    """The value as text, each container with a layout of its own."""
    if isinstance(value, dict):
        gap = draw(st.sampled_from(["", " "]))
        return draw(joined("{}", [f'"{name}":{gap}{draw(laid_out(item))}' for name, item in value.items()]))
    if isinstance(value, list):
        return draw(joined("[]", [draw(laid_out(item)) for item in value]))
    return json.dumps(value)


@st.composite
def joined(draw: DrawFn, brackets: str, items: list[str]) -> str:
    before, after, between = draw(SPACE), draw(SPACE), draw(SPACE)
    inner = f"{draw(SPACE)},{between}".join(items)
    return brackets[0] + before + inner + after + brackets[1]

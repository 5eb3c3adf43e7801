"""Edits of TOML documents: each does what was asked for, and nothing else."""

import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.config import document
from tests.effort import times


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[levels.warning]\nevery = 7\n"),
        ("# mine\n", "# mine\n\n[levels.warning]\nevery = 7\n"),
        ("ascii = true", "ascii = true\n[levels.warning]\nevery = 7\n"),
        ("levels.warning.every = 5 # often\n", "levels.warning.every = 7 # often\n"),
        ("levels.warning.remaining = 30\n", "levels.warning.remaining = 30\nlevels.warning.every = 7\n"),
        ("[levels.warning]\n\n[hooks]\n", "[levels.warning]\nevery = 7\n\n[hooks]\n"),
        ("levels.warning = { remaining = 30 }\n", "levels.warning = { remaining = 30, every = 7}\n"),
        (
            "[levels.warning]\nremaining = 30\n# of remaining\n\n# Hooks:\n[hooks]\n",
            "[levels.warning]\nremaining = 30\n# of remaining\nevery = 7\n\n# Hooks:\n[hooks]\n",
        ),
        (
            "[levels.critical]\nevery = 1\n[hooks]\na = 1\n",
            "[levels.critical]\nevery = 1\n\n[levels.warning]\nevery = 7\n[hooks]\na = 1\n",
        ),
        ("[hooks]\r\na = 1\r\n", "[hooks]\r\na = 1\r\n\n[levels.warning]\nevery = 7\n"),
        ("\ufeff# mine\n", "\ufeff# mine\n\n[levels.warning]\nevery = 7\n"),
    ],
)
def test_a_value_is_placed_where_an_author_would_put_it(before: str, after: str) -> None:
    assert document.edited(before, "levels.warning.every", 7) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[window]\nsize = 5 # small\n", ""),
        ("window.size = 5\nwindow.other = 6\n", "window.other = 6\n"),
        ("# mine\n[window]\nsize = 5\n\n# Hooks:\n[hooks]\n", "# mine\n[window]\n\n# Hooks:\n[hooks]\n"),
        ("[window]\nsize = 5\n\n[hooks]\na = 1\n", "[hooks]\na = 1\n"),
        ("window = { size = 5 }\nascii = true\n", "ascii = true\n"),
    ],
)
def test_removing_the_only_key_removes_its_section(before: str, after: str) -> None:
    assert document.edited(before, "window.size", None) == after


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("window = 5", "window must be a table"),
        ("[[window]]\nsize = 5", "window must be a table"),
        ("window.size.more = 5", "is a section here"),
        ("[window.size]\n[hooks]", "is a section here"),
        ("window.size = {}", "is a section here"),
    ],
)
def test_a_conflicting_value_is_not_replaced(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        document.edited(text, "window.size", 5)


# Documents of every shape: sections in any order, dotted keys, inline tables, comments, empty lines.
NAMES = ("window", "levels", "warning", "critical", "size", "every")
KEYS = [f"{first}.{second}.{third}" for first in NAMES[:2] for second in NAMES[2:4] for third in NAMES[4:]]
VALUES = st.sampled_from(["1", "0x1F", "true", "'text'", "'#none'", "[1,\n  2, # two\n]", "1_000.5", "{}"])
REMARKS = st.sampled_from(["", "", "# remark\n", "\n", "\n# about what follows\n", "# a = 1\n\n"])
ENDS = st.sampled_from(["\n", " # why\n", "  \n"])


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Text that may or may not be TOML."""
    parts = []
    for _ in range(draw(st.integers(0, 6))):
        name = draw(st.sampled_from(KEYS))
        first, second, third = name.split(".")
        forms = (
            f"{name} = %s",
            f"[{first}.{second}]\n{third} = %s",
            f"[{first}]\n{second}.{third} = %s",
            f"[{first}]\n{second} = {{ {third} = %s }}",
            f"{first} = {{{second} = {{{third} = %s}}}}",
            f"[{first}]%.0s",
        )
        form = draw(st.sampled_from(forms))
        parts.append(draw(REMARKS) + form % draw(VALUES) + draw(ENDS))
    return "".join(parts).rstrip("\n") + draw(st.sampled_from(["", "\n", "\n\n", "\n# the end"]))


def parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def leaves(values: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    result: dict[str, Any] = {}
    for name, value in values.items():
        result |= leaves(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
    return result


def remarks(text: str) -> list[str]:
    return [line[line.index("# ") :] for line in text.splitlines() if "# " in line]


@settings(max_examples=times(100, 1_000))
@given(text=documents(), key=st.sampled_from(KEYS), value=st.sampled_from([7, True, "x", [["a"], []]]))
def test_an_edit_changes_only_its_key_or_nothing(text: str, key: str, value: Any) -> None:
    before = parsed(text)
    if before is None:
        with pytest.raises(ValueError, match=r"\(at (line|end)"):
            document.edited(text, key, value)
        return
    try:
        after = document.edited(text, key, value)
    except ValueError:
        return
    assert leaves(tomllib.loads(after)) == leaves(before) | {key: value}
    rest = [remark for remark in remarks(text) if remark != "# two"]  # of a value that has been replaced
    assert [remark for remark in remarks(after) if remark != "# two"] == rest
    again = document.edited(after, key, None)
    assert leaves(tomllib.loads(again)) == {name: old for name, old in leaves(before).items() if name != key}

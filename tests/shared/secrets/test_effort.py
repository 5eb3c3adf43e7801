"""Hostile text costs the masking little more than any other, whichever rule it triggers."""

import json
import re
import sys
import time
from collections.abc import Callable

import pytest

from shared.secrets import tables
from shared.secrets.masking import masked
from tests.effort import share

LENGTH = 1 << 12
MOST = 30.0
"""Times what a character of plain text costs a simple search: a busy machine, on which each second of processor time
does half as much, slows both. None takes more than 17 of these, but that of chance, which takes 25 while others work.
"""
PLAIN = "a text of plain words that no rule calls for, " * (LENGTH // 46)
SEARCH = re.compile("(?:[a-z]{1,9} ){1,3}[a-z]{0,9}[0-9]")
NAMES = ["password", "pass", "pwd", "token", "key", "auth", "cookie", "login", "connect", "bearer", "psk", "密码"]
JOINTS = [
    " ",
    ": ",
    "=",
    '="a',
    "(",
    ", '",
    "\n",
    " is ",
    '": "',
    ": {",
    "->",
    " a b c d e f ",
    "=b;",
    "=Kettle!Moss7 ",
    '", a (b) ',
    " <b>', 'a', ",
    " string = ",
    ": &'a b | None = Field(a",
]


def _parts(section: str) -> list[str]:
    return [part + end for parts, _ in tables.rows(section) for part in parts.split("|") for end in (" ", ': "a1B!x" ')]


TRIGGERS = {
    "keys": [f"{word} " for word in tables.by_word("keys")],
    "parts": _parts("keys by a part"),
    "programs": [f"{word} {end}" for word in tables.by_word("programs") for end in ("", "-u a")],
    "sentences": _parts("before a secret"),
    "prompts": ["> 1", "1> ", ">>> 1", "$ 1", "# 1", "% a> ", "1> a"],
    "places": [
        *_parts("before a password"),
        *_parts("commands with a password"),
        *("with bob / a1-kettle ", "-u bob -p ", "a@b.test / "),
    ],
    "names": [name + joint for name in NAMES for joint in JOINTS],
    "lists": ["a=1;", "a1: b2, ", '{"key": "value"}, ', "Kettle!Moss7 ", "a1! ", ";PWD={", "a1! is the password "],
    "private keys": [f"-----BEGIN PRIVATE KEY-----{end}" for end in ("", "\nMIIEpAIBAAKCAQEA1\n", "\nMIIEpAIBAAKCA\n")],
    "lines of private keys": ["Private-Lines: 1\n", "Private-Lines: 1 MIIEpAIBAAKCAQEA1 .... "],
    "chance": ["q7Rk2Zp9Lw4Xc8Vb ", "a/b1/C2d/E3fg/H4i/jK5l ", "key q7rk2zp9lw4xc8vb ", "toolu_q7Rk2Zp9Lw4Xc8Vb, "],
    "lists of arguments": ['zip "a", ', '["zip", "-P", ', '"zip",\\n \\"a\\"', "zip\\\\ '\\\\"],
    "strings": ['"a":"q7Rk2Zp9Lw4Xc8Vb ', '"a":"', '{"content": "q7Rk2Zp9Lw4Xc8Vb/"'],
    "signs": ['auth("a:1.1', 'auth("aaaa****', "token=a-1.1:1."],
    "calls": ['auth("a1-b2", ', "login(('Kettle-Moss-77', ", '["a1-kettle2", ', "(bind(a, 'moss-kettle-77'"],
}


@pytest.mark.parametrize("kind", TRIGGERS)
def test_text_that_triggers_a_rule_costs_little_however_often(kind: str) -> None:
    pieces = TRIGGERS[kind]
    for piece in pieces[share(3)] if len(pieces) > 30 else pieces:
        text = piece * (LENGTH // len(piece))
        assert _cost(text) < MOST, piece
        assert _cost(json.dumps(json.dumps(text.replace(" ", "\n")))) < MOST, piece


def test_lines_joined_by_an_escape_are_read_in_only_one_way() -> None:
    """Each line that could be read in two ways would double the time."""
    assert _cost(json.dumps(json.dumps("psexec \\n9 \\n4 " * 8)) + " a" * LENGTH) < MOST


def test_the_cost_per_name_does_not_grow_with_their_number() -> None:
    assert _cost("pass " * (LENGTH * 16)) < MOST


def test_a_short_text_does_not_search_every_table() -> None:
    """A session has thousands of commands."""
    entries = sum(map(len, TRIGGERS.values()))
    masked("pytest -q a")
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    masked("pytest -q b")
    sys.setprofile(None)
    assert calls < entries


def _cost(text: str) -> float:
    """The cost of one of its characters, relative to one of plain text; the least of a few attempts."""
    result = MOST
    for _ in range(3):
        before, took, after = (_seconds(SEARCH.search, PLAIN), _seconds(masked, text), _seconds(SEARCH.search, PLAIN))
        result = min(result, took / len(text) / (max(before, after) / len(PLAIN)))
        if result < MOST:
            break
    return result


def _seconds(work: Callable[[str], object], text: str) -> float:
    """Seconds of processor time."""
    began = time.process_time()
    work(text)
    return time.process_time() - began

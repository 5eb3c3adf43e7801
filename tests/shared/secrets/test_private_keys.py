"""The end of a private key, and what may lie between and after its lines."""

import base64
import json
import textwrap
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest

from shared.secrets.masking import MASK, masked
from tests.shared.credentials import PRIVATE_KEY

BEGIN, *LINES, END = PRIVATE_KEY.split("\n")
RUN = LINES[0]


def test_text_after_a_private_key_stays() -> None:
    assert masked(f"{PRIVATE_KEY}\n{RUN}") == f"{BEGIN}\n{MASK}\n{END}\n{RUN}"


def test_quotation_marks_stay() -> None:
    quoted = "\n".join(f"> {line}" for line in LINES[:3])
    assert masked(f"{BEGIN}\n{quoted}") == f"{BEGIN}\n> {MASK}\n> {MASK}\n> {MASK}"


@pytest.mark.parametrize(("length", "is_masked"), [(60, True), (61, False)])
def test_lines_of_a_private_key_lie_at_most_sixty_characters_apart(length: int, *, is_masked: bool) -> None:
    gap = "." * length
    assert masked(f"{BEGIN}\n{RUN}{gap}{RUN}") == f"{BEGIN}\n{MASK}{gap}{MASK if is_masked else RUN}"


@pytest.mark.parametrize(("length", "is_masked"), [(480, True), (481, False)])
def test_a_private_keys_first_line_may_follow_headers(length: int, *, is_masked: bool) -> None:
    headers = "." * length
    assert masked(f"{BEGIN}{headers}{RUN}") == f"{BEGIN}{headers}{MASK if is_masked else RUN}"


@pytest.mark.parametrize(("length", "is_masked"), [(16, True), (15, False)])
def test_a_private_keys_line_is_long_unless_it_is_the_last(length: int, *, is_masked: bool) -> None:
    assert masked(f"{BEGIN}\n{RUN[:length]}") == f"{BEGIN}\n{MASK if is_masked else RUN[:length]}"
    assert masked(f"{BEGIN}\n{RUN}\n{RUN[:4]}") == f"{BEGIN}\n{MASK}"


@pytest.mark.parametrize("escape", ["\\/", "\\b", "\\f", "\\u2028", "\\ud83d"])
def test_a_private_key_is_masked_up_to_an_escape_and_not_within_it(escape: str) -> None:
    line = f'{{"key": "{BEGIN}\\n{RUN}{escape}{RUN}\\n{END}"}}'
    assert json.loads(masked(line))["key"].count(MASK) in {1, 2}
    assert RUN not in masked(line)


def test_a_key_with_escaped_slashes_is_masked_whole() -> None:
    assert masked(f"{BEGIN}\\n{RUN}\\/{RUN[:4]}\\/{RUN[:4]}\\n{END}") == f"{BEGIN}\\n{MASK}\\n{END}"


@pytest.mark.parametrize("number", ["1795446935889017215", "12345678901234567e10", "12345678901234567E+5"])
def test_a_number_is_no_line_of_a_private_key(number: str) -> None:
    line = f'{{"text": "{BEGIN}", "at": {number}}}'
    assert masked(line) == line


def test_a_private_key_in_base64_is_masked_to_its_end() -> None:
    encoded = textwrap.wrap(base64.b64encode(PRIVATE_KEY.encode()).decode(), 76)
    assert not [line for line in encoded if line in masked("\n".join(encoded))]
    line = json.dumps([{"content": "\n".join(encoded), "number": 1234567890123456789}])
    assert json.loads(masked(line))[0]["number"] == 1234567890123456789


@pytest.mark.parametrize("quoted", [quote, quote_plus])
def test_a_private_key_in_an_address_is_masked(quoted: Callable[[str], str]) -> None:
    text = masked(f"curl -d key={quoted(PRIVATE_KEY)}")
    assert not [line for line in LINES if quoted(line) in text]


def test_the_end_of_a_private_key_identifies_the_lines_before_it() -> None:
    lines = [RUN[:32] + RUN[:32], RUN[:32] + RUN[1:33], RUN[:10]]
    text = "\n".join(["A line of words", "/usr/lib/python3", *lines, END])
    assert masked(text) == "\n".join(["A line of words", "/usr/lib/python3", *[MASK] * 3, END])


@pytest.mark.parametrize("before", ["footer", "README\n/usr/lib/python3\nmain", "fake"])
def test_words_before_a_private_keys_end_are_no_key(before: str) -> None:
    assert masked(f"{before}\n{END}") == f"{before}\n{END}"


def test_text_after_a_private_key_in_base64_stays() -> None:
    encoded = base64.b64encode(PRIVATE_KEY.encode()).decode()
    message = {"content": f"TLS_KEY={encoded}\nREGISTRY_SERVER_NAME_FOR_VALIDATION=a", "sourceToolAssistantUUID": "u"}
    line = json.loads(masked(json.dumps(message, separators=(",", ":"))))
    assert line == {
        "content": f"TLS_KEY={MASK}\nREGISTRY_SERVER_NAME_FOR_VALIDATION=a",
        "sourceToolAssistantUUID": "u",
    }

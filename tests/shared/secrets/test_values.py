"""The end of a value, and placeholders that only stand for a secret."""

import pytest

from shared.secrets import values
from tests.shared.credentials import TOKEN


@pytest.mark.parametrize(
    ("text", "value", "is_quoted"),
    [
        ("zebra next", "zebra", False),
        ("zebra, next", "zebra", False),
        ("zebra; next", "zebra", False),
        ("zebra. Next", "zebra", False),
        ("zebra", "zebra", False),
        ("ze,bra)", "ze", False),
        ("'ze bra' next", "ze bra", True),
        ('"ze\'bra" next', "ze'bra", True),
        ("b'zebra'", "zebra", True),
        ('\\"ze bra\\" next', "ze bra", True),
    ],
)
def test_a_value_ends_where_its_line_continues(text: str, value: str, *, is_quoted: bool) -> None:
    result = values.read(text, 0)
    assert result is not None
    assert (result.text, result.is_quoted) == (value, is_quoted)
    assert text[result.start : result.end] == value


def test_a_variables_value_extends_to_the_space() -> None:
    value = values.read("ze,b;ra. next", 0, to_space=True)
    assert value is not None
    assert value.text == "ze,b;ra."


@pytest.mark.parametrize("text", ["", " zebra", "''", '""', '","next"', '":1', "<zebra>"])
def test_an_empty_text_is_no_value(text: str) -> None:
    assert values.read(text, 0) is None


@pytest.mark.parametrize(
    "text",
    [
        "ab",
        "xxxx-xxxx",
        "********",
        "$API_KEY",
        "${API_KEY}",
        "your-api-key",
        "token12",
        "vault:shop",
        "op://shop/key",
        "a${zebra}b",
        "YOUR_TOKEN_HERE",
        "aaaa-aaaa",
    ],
)
def test_a_placeholder_is_no_secret(text: str) -> None:
    assert values.is_placeholder(text)


@pytest.mark.parametrize("text", ["abq", "zebra", "token123", "my-zebra", "key-" * 26, "abab-abab"])
def test_an_unrelated_word_may_be_a_secret(text: str) -> None:
    assert not values.is_placeholder(text)


@pytest.mark.parametrize(
    ("text", "is_code"),
    [
        ("token", True),
        ("settings.token", True),
        ("get_token(user)", True),
        ("await next_token", True),
        ("a->b::c", True),
        ("zeb9ra", False),
        ("ze-bra", False),
        ("a" * 100, True),
        ("a" * 101, False),
    ],
)
def test_names_calls_and_attributes_are_code(text: str, *, is_code: bool) -> None:
    assert values.is_code(text) is is_code


@pytest.mark.parametrize(("text", "is_mixed"), [("a1", True), ("a", False), ("1", False), ("1-2", False), ("", False)])
def test_letters_beside_digits_are_mixed(text: str, *, is_mixed: bool) -> None:
    assert values.is_mixed(text) is is_mixed


@pytest.mark.parametrize(
    ("text", "is_random"),
    [
        (TOKEN[:16], True),
        (TOKEN[:15], False),
        ("0123456789012345", False),
        ("abcdefghijklmnopq", False),
        ("2026-01-05T09:00:00", False),
        ("/home/dev/shop/app9.py", False),
        ("module_of.get_token_2", False),
        ("0A1B2C3D4E5F6A7B", False),
    ],
)
def test_a_key_is_long_and_mixed_and_has_no_words(text: str, *, is_random: bool) -> None:
    assert values.is_random(text) is is_random

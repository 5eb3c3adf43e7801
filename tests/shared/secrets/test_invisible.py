"""Keys with invisible characters in them."""

import itertools
import json
import sys

import pytest

from shared.secrets import invisible
from shared.secrets.masking import MASK, masked
from shared.text.plain import one_line, plain
from tests.shared.credentials import KEYS

KEY = KEYS["github"]
SIGNS = {
    "colour": "\x1b[0m",
    "match": "\x1b[m\x1b[K",
    "link": "\x1b]8;;\x07",
    "eight bits": "\x9b0m",
    "no width": "\u200b",
    "joiner": "\u200d",
    "soft hyphen": "\xad",
    "direction": "\u202e",
    "tag": "\U000e0041",
    "nothing": "\0",
}


@pytest.mark.parametrize("sign", SIGNS.values(), ids=SIGNS)
@pytest.mark.parametrize("places", [(4,), (2, 9, 16)])
def test_a_key_with_invisible_characters_is_masked(sign: str, places: tuple[int, ...]) -> None:
    bounds = [0, *places, len(KEY)]
    parted = sign.join(KEY[start:end] for start, end in itertools.pairwise(bounds))
    text = f"the key is {parted}, and so on"
    assert masked(text) == f"the key is {MASK}, and so on"
    for is_ascii in (False, True):
        line = masked(json.dumps({"text": text}, ensure_ascii=is_ascii))
        assert KEY not in one_line(json.loads(line)["text"], 400)


def test_all_characters_removed_from_plain_text_count_as_invisible() -> None:
    signs = [sign for sign in map(chr, range(sys.maxunicode + 1)) if not sign.isspace() and not plain(sign)]
    result = invisible.visible_part("".join(f"a{sign}" for sign in signs) + "a")
    assert len(signs) > 100_000  # those of private use
    assert result is not None
    assert set(result.text) == {"a"}


def test_a_coloured_name_still_names_its_value() -> None:
    line = json.dumps('\x1b[34;1m"password"\x1b[0m:\x1b[0;32m"Kettle77moss"\x1b[0m')
    assert json.loads(masked(line)) == f'\x1b[34;1m"password"\x1b[0m:\x1b[0;32m"{MASK}"\x1b[0m'


@pytest.mark.parametrize(
    "text",
    [
        "{ password: \x1b[32m'Orchid22sky'\x1b[39m }",  # node
        '{\n  \x1b[0m\x1b[34;1m"password"\x1b[0m\x1b[1;39m:\x1b[0m \x1b[0;32m"Orchid22sky"\x1b[0m\n}',  # jq -C
        "\x1b[94mpassword\x1b[39;49;00m:\x1b[37m \x1b[39;49;00mOrchid22sky\x1b[37m\x1b[39;49;00m",  # pygments
    ],
)
def test_coloured_text_is_masked_as_without_colours(text: str) -> None:
    assert "Orchid" not in masked(text)
    assert "Orchid" not in masked(json.dumps(text))


def test_each_character_is_mapped_back_to_its_place() -> None:
    text = "a\u200bb \x1b[0mc\x1b[1md\x1b[0me \u200bf\u200b"
    result = invisible.visible_part(text)
    assert result is not None
    assert [text[result.place(at)] for at in range(len(result.text))] == list(result.text)
    assert result.text == "ab cde \u200bf\u200b"
    assert invisible.visible_part("a b\n\\\\u0041 \u200b c") is None

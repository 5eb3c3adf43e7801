"""The last telling word before a value distinguishes a key from an identifier."""

import pytest

from shared.secrets.words import cues


@pytest.mark.parametrize(
    ("text", "is_secret"),
    [
        ("API key: ", True),
        ("the token of the page 7: ", False),
        ("page 7, token: ", True),
        ("NextToken: ", False),
        ("page_token=", False),
        ("cacheKey=", False),
        ("restore-keys: ", False),
        ("masterKey=", True),
        ("app_id=", True),
        ("client_id=", False),
        ("sha256, md5 ", False),
        ("look here: ", None),
        ("q7token2Rk: ", None),
    ],
)
def test_the_last_telling_word_decides(text: str, *, is_secret: bool | None) -> None:
    assert cues.is_secret(text) is is_secret


@pytest.mark.parametrize(
    ("text", "is_public"), [("NEXT_PUBLIC_KEY=", True), ("commit of the token ", True), ("MY_KEY=", False)]
)
def test_a_public_word_anywhere_means_no_secret(text: str, *, is_public: bool) -> None:
    assert cues.is_public(text) is is_public


def test_the_words_of_a_name_are_its_parts() -> None:
    assert cues.parts("myAPIKey_of-Shop2 a1b2c3") == ["my", "api", "key", "of", "shop"]

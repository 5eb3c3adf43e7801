"""A random key is recognised by itself or by its issuer; an identifier stays."""

import base64

import pytest

from shared.secrets.masking import MASK, masked
from tests.shared.secrets.leak import is_gone

_RUN = "q7Rk2Zp9Lw4Xc8Vb3Nm6" + "T5Yh1Jd0Gf8S"
"""Letters and digits of chance, as a key has them."""


@pytest.mark.parametrize(
    "text",
    [
        "Copy it now:\n\n  {}\n",
        "client.use('{}')",
        "curl https://x.test/v1 -H 'x-team: {}'",
        "ARG GEMFURY_DEPLOY={}",
        '{"x-team": ["{}"]}',
        "$ az acr credential show -n x --query passwords[0].value -o tsv\n{}",
        "Authorization: Digest username='bob', response=\"{}\"",
        "| name | api_token |\n|---|---|\n| shop | {} |",
    ],
)
def test_random_letters_and_digits_are_a_key(text: str) -> None:
    assert is_gone(text.replace("{}", _RUN), _RUN)


@pytest.mark.parametrize("frame", ["ARG SHOP_DEPLOY={}", "export COOKIE_SALT={}", "see {} there", "f(x, '{}')", "<{}>"])
@pytest.mark.parametrize(("length", "is_masked"), [(16, True), (15, False)])
def test_a_key_needs_sixteen_characters_and_no_name(frame: str, length: int, *, is_masked: bool) -> None:
    text = frame.format(_RUN[:length])
    assert masked(text) == (frame.format(MASK) if is_masked else text)


@pytest.mark.parametrize(
    "text",
    [
        '"request_id": "{}"',
        "https://docs.x.test/document/d/{}/edit",
        "sha256-{}",
        "ETag: {}",
        "public key: {}",
        "index-{}.js",
        "PRRT_{}",
        "PRRT_{}_w",
        "BUILD_HASH={}",
        "/opt/{}/bin",
        "from {}@x.test",
        "toolu_{}",
        "h1:{}=",
        '"kid":"{}"',
        "|1|{}=|",
        "In-Reply-To: <{}@mail.x.test>",
    ],
)
def test_a_random_identifier_stays(text: str) -> None:
    assert masked(text.replace("{}", _RUN)) == text.replace("{}", _RUN)


@pytest.mark.parametrize("text", ["accounts: ['{}']", "new Wallet('{}', node)", "privateKeyToAccount('{}')"])
def test_the_key_of_a_wallet_is_masked(text: str) -> None:
    assert is_gone(text.replace("{}", "0x" + "0a1b2c3d" * 8), "0a1b2c3d" * 8)


def test_a_list_of_recovery_codes_or_words_is_masked_whole() -> None:
    codes = "1. ed0c3-b9418\n2. 25ac9-0fabd\n3. c5aee-c915e"
    words = "maple otter river candle forest window silver copper garden winter button pencil"

    assert masked(f"Save your recovery codes:\n{codes}\nBye") == f"Save your recovery codes:\n1. {MASK}\nBye"
    for text in (f"Your recovery phrase:\n\n{words}\n", f"fromMnemonic('{words}')", f"seed phrase: {words}"):
        assert is_gone(text, words)


def test_a_storage_key_is_masked_and_a_lock_files_hash_is_not() -> None:
    key = base64.b64encode(bytes(range(64))).decode()
    assert masked(f'"value": "{key}"') == f'"value": "{MASK}"'
    assert masked(f'"integrity": "sha512-{key}"') == f'"integrity": "sha512-{key}"'


@pytest.mark.parametrize(
    "text",
    [
        "https://hooks.shop.test/services/T0AB12CD3/B0AB12CD3/{}",
        "https://chat.shop.test/hooks/{}",
        "https://rpc.infura.io/v3/{}",
        "acme_live_{}",
        "$ cat .erlang.cookie\nLYXUJUMMBNQRNDDPQIZS",
    ],
)
def test_a_key_is_recognised_by_its_issuer(text: str) -> None:
    key = "q7Rk2Zp9Lw4Xc8Vb3Nm6" if "{}" in text else text.split("\n")[1]
    assert is_gone(text.replace("{}", key), key)


@pytest.mark.parametrize(
    "text",
    [
        'MailClient("0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d", "{}")',
        "GET(url, query = list(appid = '{}'))",
        "weather login keeps asking, just give it {}",
        "https://api.x.test/v6/{}/latest/EUR",
        "https://cal.x.test/ical/private-{}/basic.ics",
        "my shop pro key: {} ; grab it",
        '<string name="weather_key">{}</string>',
        "weather_key: {}",
    ],
)
def test_a_hexadecimal_key_is_recognised_by_its_recipient(text: str) -> None:
    key = "8dfdd0021d8bc54842a5eec9abd29d95"
    assert is_gone(text.replace("{}", key), key)


@pytest.mark.parametrize(
    "text",
    [
        'ObjectId("{}"); Commit("{}")',
        "merged w/ commit -> {}",
        "https://api.x.test/v1/objects/{}/raw",
        "cache key: {}",
        "partition key: {}",
        "build_key: {}",
    ],
)
def test_a_hexadecimal_identifier_stays(text: str) -> None:
    whole = text.replace("{}", "8dfdd0021d8bc54842a5eec9abd29d95")
    assert masked(whole) == whole

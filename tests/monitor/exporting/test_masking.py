"""What looks like a key is masked, wherever it stands; lines of JSON stay JSON."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.exporting.masking import LONGEST, MASK, Masker

# Made up, and put together here: a scanner of this repository must not take them for real ones.
SECRETS = {
    "anthropic": "sk-ant-" + "api03-" + "Ab3dE" * 18 + "-9QAAAAA",
    "openai": "sk-" + "proj-" + "Zx9" * 16 + "T3Blbk" + "FJ" + "Qw8" * 16,
    "github": "ghp" + "_" + "a1B2c3D4e5" * 3 + "F6g7H8",
    "github, fine-grained": "github" + "_pat_" + "11ABCDEFG0" + "abcdefghij" * 4,
    "gitlab": "glpat" + "-" + "abcdEFGH1234ijklMNOP",
    "aws": "AKIA" + "IOSFODNN7EXAMPLE",
    "google": "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
    "slack": "xoxb" + "-123456789012-123456789012-" + "abcdefghijklmnopqrstuvwx",
    "stripe": "sk" + "_live_" + "abcdEFGH1234ijklMNOP5678",
    "npm": "npm" + "_" + "abcdefghijklmnopqrstuvwxyz0123456789",
    "hugging face": "hf" + "_" + "abcdefghijABCDEFGHIJklmnopqrstuvwx",
    "sendgrid": "SG" + "." + "a" * 22 + "." + "b" * 43,
    "groq": "gsk" + "_" + "aB3d" * 13,
    "xai": "xai" + "-" + "aB3d" * 20,
    "databricks": "dapi" + "0a1b2c3d" * 4,
    "vault": "hvs" + "." + "CAESI" + "aB3d_-" * 8,
    "shopify": "shpat" + "_" + "0a1b2c3d" * 4,
    "shopify, shared": "shpss" + "_" + "0a1b2c3d" * 4,
    "shopify, custom": "shpca" + "_" + "0a1b2c3d" * 4,
    "mailgun": "key" + "-" + "0a1b2c3d" * 4,
    "linear": "lin" + "_api_" + "aB3d" * 10,
    "fly": "fm2" + "_" + "lJPECAAAAAAA" + "aB3d" * 10,
    "fly, with its scheme": "FlyV1 " + "fm2" + "_" + "lJPECAAAAAAA" + "aB3d" * 10,
    "telegram": "123456789" + ":" + "AA" + "aB3d_-" * 5 + "xyz",
    "jwt": "eyJ" + "hbGciOiJIUzI1NiJ9" + "." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0" + "." + "dozjgNryP4J3jVmNHl0w5N",
}
PRIVATE_KEY = (
    "-----BEGIN RSA " + "PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEAxyzxyzxyz0123456789\n" * 3 + "abcd==\n-----END RSA "
    "PRIVATE KEY-----"
)


@pytest.fixture(scope="module")
def masker() -> Masker:
    return Masker()


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("frame", ["{}", "the key is {}, and so on", "KEY={}\nnext", "'{}'", "https://host/?k={}&x=1"])
def test_a_key_is_masked_whole(masker: Masker, name: str, frame: str) -> None:
    secret = SECRETS[name]

    assert masker.text(frame.format(secret)) == frame.format(MASK)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("export API_KEY=hunter22", "hunter22"),
        ("MY_TOKEN=abcdefghijk", "abcdefghijk"),
        ('"api_key": "longerword"', "longerword"),
        ("api_key: s3cretvalue1", "s3cretvalue1"),
        ("DB_PASSWORD: correcthorse", "correcthorse"),
        ("credentials = 'battery-staple'", "battery-staple"),
        ("AWS_CREDENTIAL='battery-staple'", "battery-staple"),
        ("DB_PASSWD=batterystaple", "batterystaple"),
        ("curl -u me:PASSWORD https://host", "PASSWORD"),
        ("curl -s --user 'me:hunter2' https://host", "hunter2"),
        ("DB_PASSWORD=correct1horse2battery", "correct1horse2battery"),
        ('"apiKey": "0123456789abcdef0123"', "0123456789abcdef0123"),
        ("secret_key = 'django-insecure-abc123def456'", "django-insecure-abc123def456"),
        ("Authorization: Bearer abcdef0123456789abcdef", "abcdef0123456789abcdef"),
        ("postgres://me:s3cr3tpw1@db/x", "s3cr3tpw1"),
        ('aws_secret_access_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"', "wJalrXUtnFEMI"),
        (json.dumps({"outer": json.dumps({"api_key": "abc123abc123abc1"})}), "abc123abc123abc1"),
    ],
)
def test_what_a_name_calls_secret_is_masked(masker: Masker, text: str, hidden: str) -> None:
    assert hidden not in masker.text(text)
    masked = masker.json(json.dumps({"text": text}))
    assert hidden not in masked
    assert json.loads(masked).keys() == {"text"}


@pytest.mark.parametrize(
    "text",
    [
        '"input_tokens":3,"cache_read_input_tokens":149997,"max_tokens": 32000',
        "token = tokenizer.next_token()",
        "token_count: 12345, max_tokens = 4096, MAX_TOKENS=128000000, KEY_COUNT=123456789",
        "KEY=value",
        "API_KEY=$OTHER_KEY_2 make",
        "password = get_v2_of(user)",
        "SECRET = os.environ['NAME_2']",
        "docker run -u 1000:1000 image",
        "a key-value store, the monkey-patching of key-0123, shpat_1, hvs.name, dapi0a1b, lin_api_x, gsk_short",
        "at 12:30:45, line 123456789:42",
        "session 5b0c6a1e-0000-4000-8000-000000000001, commit 0a9f6d9c1b2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f",
        "/home/dev/shop/src/app.py: the secret of good naming",
        "toolu_01A2b3C4d5E6f7G8h9I0j1K2",
    ],
)
def test_ordinary_text_stays(masker: Masker, text: str) -> None:
    assert masker.text(text) == text
    assert masker.json(json.dumps({"text": text})) == json.dumps({"text": text})


def test_a_private_key_loses_its_body(masker: Masker) -> None:
    masked = masker.text(f"before\n{PRIVATE_KEY}\nafter")

    assert "MIIE" not in masked
    assert "abcd==" not in masked
    assert masked.startswith("before\n")
    assert masked.endswith("\nafter")


def test_a_private_key_that_breaks_off_loses_what_there_is(masker: Masker) -> None:
    assert "MIIE" not in masker.text(PRIVATE_KEY[:90])


@pytest.mark.parametrize("secret", [*SECRETS.values(), PRIVATE_KEY])
@pytest.mark.parametrize("frame", ["{}", "a\n{}\nb", 'say "{}" twice', "\\{}\\", "\u00e4 {} \u00fc", "\t{}\r\n"])
def test_a_line_of_json_stays_json(masker: Masker, secret: str, frame: str) -> None:
    document = {"type": "user", "text": frame.format(secret), "more": [secret, {"deep": secret}]}
    line = json.dumps(document, ensure_ascii=False, separators=(",", ":"))

    masked = masker.json(line)

    assert json.loads(masked).keys() == document.keys()
    assert secret[len(secret) // 2 :][:10] not in masked
    assert json.loads(masked)["text"] == masker.text(frame.format(secret))


@given(st.recursive(st.text() | st.sampled_from(sorted(SECRETS.values())), lambda inner: st.lists(inner, max_size=4)))
@settings(max_examples=200, deadline=None)
def test_any_json_stays_json(document: object) -> None:
    line = json.dumps({"password": document}, ensure_ascii=False)

    masked = json.loads(_MASKER.json(line))

    assert _shape(masked["password"]) == _shape(document)


@pytest.mark.parametrize(
    "piece",
    ["sk-", "eyJ", "a", "eyJhb.", "//x/:_authToken=", "http://a:", "-----BEGIN ", "AAAA+", "curl -u ", "KEY=", "KEY_A"],
)
def test_no_text_takes_long(masker: Masker, piece: str) -> None:
    """Where a pattern's time grows with the square of a text, this takes minutes; a linear one needs a tenth of it."""
    run = (piece * LONGEST)[: LONGEST - 1]
    text = f"{run} " * 100 + run * 10
    began = time.process_time()

    masker.text(text)

    assert time.process_time() - began < 10


def test_a_run_too_long_for_a_key_is_data(masker: Masker) -> None:
    data = "sk-" + "a1" * LONGEST

    assert masker.text(data) == data


def test_what_is_masked_is_counted() -> None:
    masker = Masker()
    masker.text(f"{SECRETS['aws']} and {SECRETS['github']}")

    assert masker.count == 2


def _shape(document: object) -> object:
    return [_shape(part) for part in document] if isinstance(document, list) else str


_MASKER = Masker()

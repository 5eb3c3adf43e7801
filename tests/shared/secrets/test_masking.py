"""Everything that looks like a secret is masked, and nothing else; lines of JSON stay JSON."""

import base64
import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shared.secrets.masking import MASK, masked, masked_beginning, spans
from tests import processor_time
from tests.effort import times
from tests.shared.credentials import INNOCENT, KEYS, NAMED, PASSWORD, PRIVATE_KEY, TOKEN


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("frame", ["{}", "the key is {}, and so on", "KEY={}\nnext", "'{}'", "https://host/?k={}&x=1"])
def test_a_key_is_masked_whole(name: str, frame: str) -> None:
    assert masked(frame.format(KEYS[name])) == frame.format(MASK)


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("inside", [0.3, 0.6, 0.9])
def test_a_cut_text_keeps_no_half_of_a_key_after_masked_keys_shrank(name: str, inside: float) -> None:
    key, longest = KEYS[name], 300
    start = 8 * longest - int(inside * len(key))
    before = f"curl -H 'Authorization: Bearer {base64.b64encode(b'x7' * start).decode()[: start - 60]}'".ljust(start)
    text = f"{before}{key} and so on"
    assert masked_beginning(text, longest).count(MASK) <= 1
    assert not any(key[at : at + 8] in masked_beginning(text, longest) for at in range(len(key) - 8))


@pytest.mark.parametrize("frame", NAMED)
def test_a_named_secret_is_masked(frame: str) -> None:
    text = frame.format(password=PASSWORD, token=TOKEN)

    result = masked(text)

    assert MASK in result
    assert PASSWORD not in result
    assert TOKEN not in result
    assert result.split(MASK)[0] == text[: len(result.split(MASK)[0])]


@pytest.mark.parametrize("frame", NAMED)
@pytest.mark.parametrize("depth", [1, 2])
def test_a_named_secret_is_masked_in_json_too(frame: str, depth: int) -> None:
    text = "a line before\n" + frame.format(password=PASSWORD, token=TOKEN)
    line = text
    for _ in range(depth):
        line = json.dumps({"text": line})

    result = masked(line)

    assert PASSWORD not in result
    assert TOKEN not in result
    for _ in range(depth):
        result = json.loads(result)["text"]


def test_the_second_half_of_a_login_is_masked_too() -> None:
    number = "0a1b2c3d" * 4
    assert number[::-1] not in masked(f'client = Client("AC{number}", "{number[::-1]}")')
    assert number[::-1] not in masked(f'client = Client("AC{number}", "{number[::-1]}")')


@pytest.mark.parametrize("text", INNOCENT)
def test_ordinary_text_stays(text: str) -> None:
    assert masked(text) == text
    line = json.dumps({"text": text}, ensure_ascii=False)
    assert masked(line) == line


@pytest.mark.parametrize(("value", "is_masked"), [("ab1c2", False), ("ab1c2d", True)])
def test_a_short_quoted_value_of_letters_and_digits_is_a_secret_from_six_characters_on(
    value: str, *, is_masked: bool
) -> None:
    assert (masked(f'token = "{value}"') == f'token = "{MASK}"') is is_masked


@pytest.mark.parametrize(("text", "is_masked"), [(f"shop:{PASSWORD}", True), ("a course of two weeks", False)])
def test_the_text_after_basic_is_a_secret_if_it_is_a_login(text: str, *, is_masked: bool) -> None:
    encoded = base64.b64encode(text.encode()).decode()
    assert masked(f"It sends Basic {encoded} first") == f"It sends Basic {MASK if is_masked else encoded} first"


def test_masked_text_stays_unchanged() -> None:
    texts = [frame.format(password=PASSWORD, token=TOKEN) for frame in NAMED]

    assert [masked(masked(text)) for text in texts] == [masked(text) for text in texts]


def test_a_masked_json_number_becomes_a_string() -> None:
    assert masked('{"password":48151623,"a":1}') == f'{{"password":"{MASK}","a":1}}'
    assert masked('{\\"password\\":48151623}') == f'{{\\"password\\":\\"{MASK}\\"}}'


@pytest.mark.parametrize("begin", ["RSA ", "OPENSSH ", "EC ", "", "ENCRYPTED "])
def test_a_private_key_loses_its_body(begin: str) -> None:
    key = PRIVATE_KEY.replace("RSA ", begin)

    assert masked(f"before\n{key}\nafter") == (
        f"before\n-----BEGIN {begin}" + f"PRIVATE KEY-----\n{MASK}\n-----END {begin}" + "PRIVATE KEY-----\nafter"
    )


def test_a_private_key_is_masked_after_line_numbers_and_in_a_diff() -> None:
    numbered = "\n".join(f"{number:6}\u2192{line}" for number, line in enumerate(PRIVATE_KEY.split("\n"), 1))
    added = "\n".join(f"+{line}" for line in PRIVATE_KEY.split("\n"))

    for text in (numbered, added, json.dumps({"content": numbered}), json.dumps({"lines": PRIVATE_KEY.split("\n")})):
        assert "MIIE" not in masked(text)
    assert json.loads(masked(json.dumps({"lines": PRIVATE_KEY.split("\n")})))


def test_the_body_of_a_truncated_private_key_is_masked() -> None:
    assert "MIIE" not in masked(PRIVATE_KEY[:90])


@pytest.mark.parametrize("secret", [*KEYS.values(), PRIVATE_KEY])
@pytest.mark.parametrize("frame", ["{}", "a\n{}\nb", 'say "{}" twice', "\\{}\\", "\u00e4 {} \u00fc", "\t{}\r\n"])
def test_a_line_of_json_stays_json(secret: str, frame: str) -> None:
    document = {"type": "user", "text": frame.format(secret), "more": [secret, {"deep": secret}]}
    line = json.dumps(document, ensure_ascii=False, separators=(",", ":"))

    result = masked(line)

    assert json.loads(result).keys() == document.keys()
    assert secret[len(secret) // 2 :][:10] not in result


_MANY = 1 << 15
_PIECES = st.text() | st.sampled_from(
    [*KEYS.values(), PRIVATE_KEY, *(frame.format(password=PASSWORD, token=TOKEN) for frame in NAMED)]
)


@example(["bw ", " login ", 100])
@given(st.recursive(_PIECES | st.integers(), lambda inner: st.lists(inner, max_size=4)))
@settings(max_examples=times(100, 1_000))
def test_any_json_stays_json(document: object) -> None:
    line = json.dumps({"password": document, "token=": document}, ensure_ascii=False)

    result = json.loads(masked(line))

    assert _shape(result["password"]) == _shape(document)


@example(["docker login -p\n\x1f"])
@given(st.lists(_PIECES | st.sampled_from(['"', "\\", "password=", '"token":', "'", ",", "\n", "KEY=", "<<<", "-p "])))
@settings(max_examples=times(100, 1_000))
def test_any_text_in_a_json_string_stays_in_it(pieces: list[str]) -> None:
    text = "".join(pieces)

    for depth_two in (text, json.dumps([text])):
        result = json.loads(masked(json.dumps([depth_two, "next 1a"])))

        assert len(result) == 2


@pytest.mark.parametrize(
    "piece",
    [
        "sk-", "eyJ", "a", "eyJhb.", "//x/:_authToken=", "http://a:", "-----BEGIN ", "AAAA+", "curl -u ", "KEY=",
        "KEY_A", "-----BEGIN PRIVATE KEY-----", "password: ", "password=\\", "token is ", "\\\\", "\\n", "mysql -p ",
        'secret "',
        "echo a | ", "echo -n ", "0a1b", "s.a1B", "M1", "machine x login y ", "a:5432:", "cookie: a=bcde; ", "key=a1 ",
        "://", "docker login ", "pass ", "token\t", "\u0130password=", "htpasswd -b a b ", "bearer ", '"value": ',
        "password,,,,,,", "x.y.", "identified by ", "Private-Lines: 1 ", " is a very long word:", "<key>", "auth: a",
        'auth=("a", ', 'connect("a", "b", ', "password,a\n", "a,password\\n", "assword: send ", "pin=", "BasicAuth(",
        "live_a1", "kind: Secret\n", "kind: Secret\ndata:\n", "net use ", "curl -u {", "PRAGMA key = '",
        "creds: a", "login a / ", "root:a1!", "$ token ", "$ token a1\n", "recovery codes: a1b2-c3d4 ", "seed abc def ",
        "insert into a (password) values (", "INSERT INTO a (b, token) VALUES ('a', 'b1'),", "jdbc:oracle:thin:a/",
        "password to a ", "password:\n\n", "password a:", "Authorization: Digest a=", "-u a -p ", "a/b:c1!", "aB3",
        "PASSWORD  A\n", "password</td><td>", 'password": {"a": ', "password').fill(", "createHmac('a', ", ":25 a@b:",
        "result: random_password ", ":a1b", "a:b1@tcp(", ";PWD={", "WIFI:S:a;", "echo a1 | b ", "printf ",
        "passphrase: abc ",
        "pw\n10:42 a: ", "password for (a ", '<password a="b" ', "passphrase: abc-", "cacheKey=0a", "a|required|",
        "password a-", "password a1! ", "login(", "auth('a', ", "auth('1'", "root:", "a / b password ", "hook/a",
        "[a]\npwd = b\n", "a_live_", "password is 'a b ", "%2F", "random_password", 'psk="a b ', "a1! is the password ",
        '"element": "passw', '"element":"password","a":1,', '"text":"a","element":"token',
        '{"name":"token","type":"textbox",',
        '"selector":"secret","by":"a","value":"token",', "='abcdef1' WHERE a", "set a='abcdef1', b=1 where c = '",
        "--otp ", "login with a", "?code=aB3", "primary_key ", "NickServ IDENTIFY ", '"a" * ', "client = a('b', ",
        "nextToken: ", "<<< 0a1b ", "a.b1(", "MD5 (a) = 0a1b ", "secret-aB3", "v1.local.", '<(printf "a ', "=aB3",
        f"token is a{'_' * 40}1-x ",
    ],
)  # fmt: skip
def test_no_text_takes_long_to_mask(piece: str) -> None:
    """A quadratic pattern takes far longer than this limit, a linear one a fifth of it."""
    texts = [piece * (_MANY // len(piece)), f"{piece * 900} " * max(1, _MANY // (900 * len(piece)))]
    with processor_time.at_most(0.4):
        for text in texts:
            masked(text)


@pytest.mark.parametrize(
    ("before", "name", "is_masked"),
    [
        ("\\", "npm", False),  # an escape of JSON: a line's end, and `pm_…`
        ("\\\\", "npm", True),
        ("\\", "aws", True),
        ("\\n", "aws", True),
        ("\\u2192", "mailchimp", True),
        ("\\\\u2192", "aws", True),
    ],
)
def test_a_key_may_follow_an_escape_but_not_begin_within_one(before: str, name: str, *, is_masked: bool) -> None:
    text = f"{before}{KEYS[name]} next"
    assert masked(text) == (f"{before}{MASK} next" if is_masked else text)


def test_a_wifi_code_ends_with_its_json_string() -> None:
    line = json.dumps({"a": "WIFI:S:home;P:abcdef12", "b": "x;"})
    assert masked(line) == line


def test_secrets_are_found_separately_and_in_order() -> None:
    text = f"{KEYS['aws']} and {KEYS['github']}"

    assert [text[start:end] for start, end, _ in spans(text)] == [KEYS["aws"], KEYS["github"]]


def _shape(document: object) -> object:
    return [_shape(part) for part in document] if isinstance(document, list) else str

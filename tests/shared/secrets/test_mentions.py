"""What looks like a password is one in a sentence, a line or a call that speaks of logging in, wherever it stands."""

import json

import pytest

from shared.secrets.masking import MASK, masked


def _shown(text: str) -> str:
    """`text` as it is masked, which it must be in a line of JSON too."""
    line = json.dumps({"text": text}, ensure_ascii=False)
    assert json.loads(masked(line)) == {"text": masked(text)}
    return masked(text)


@pytest.mark.parametrize("secret", ["Kettle!Moss7", "moss7&Kettle", "Kettle2031!", "aB3dE5fG7hJ9kL1m"])
@pytest.mark.parametrize(
    "text",
    [
        "the admin password on the new box got changed to {} on Monday",
        "password on the label (back side) says {}",
        "Login for the old CRM → {}. Please check it",
        "Bob's credentials, in case you need them: {}",
        'the database accepts only the passphrase \\"{}\\" now',
        "Use {} as the keystore password",
        "guest:{} is what the preview accepts",
    ],
)
def test_a_strong_shape_is_a_password_anywhere_in_such_a_line(text: str, secret: str) -> None:
    assert _shown(text.replace("{}", secret)) == text.replace("{}", MASK)


@pytest.mark.parametrize(
    "secret",
    ["Copper-Lantern-8", "tin-whistle-moss-3", "copper_kettle_88", "Lantern.Moss21", "Lantern42", "kettleMoss99"],
)
@pytest.mark.parametrize(
    "text",
    [
        "our wifi password is {}, by the way",
        "das Passwort lautet {} seit Montag",
        "the vault password (for the staging repo): {}",
        "connect to the replica as app_ro / {}",
        "unzip the archive with {} first",
        "client.login('bob@x.test', '{}')",
        'set_credentials("sync", "{}")',
        "root pw there is still {} (yes I know)",
        "log in as bob with {} then",
        "pw {}",
        "user admin pass {}",
    ],
)
def test_words_that_a_digit_joins_are_one_where_something_joins_them_to_the_name(text: str, secret: str) -> None:
    assert _shown(text.replace("{}", secret)) == text.replace("{}", MASK)


@pytest.mark.parametrize(
    "text",
    [
        "the password field (see README.md#L12, user2@host.test, react@18.2.0) is validated in C++17",
        "password reset was merged in Release-2.4 and feature-auth-login-3",
        "the password is stored as PBKDF2-SHA256",
        "login failed for user svc_app2 from host web-eu-1",
        "log in with SSO-Okta-2, or as admin / see section-4",
        "connect to db-prod-eu-west-2 as read-only",
        "unzip build-artifacts-linux-x64.zip with 7zip-22.01",
        "GitHub login: octo-cat-22",
        '{"author":{"login":"bob"},"node_id":"IC_qB4eOVz9M8uS7trt"}',
        "const { password, token2 } = req.body; if (user.password !== input!.value2) return",
        "connect('postgres://db/app', 'utf8mb4')",
        "await login(page2, user1)",
        "root:1000, admin/users2.py, postgres:16-alpine3, opened: sqlite3.Connection",
    ],
)
def test_hosts_versions_names_and_code_in_such_a_line_stay(text: str) -> None:
    assert _shown(text) == text


@pytest.mark.parametrize("secret", ["q7Rk2Zp9Lw4Xc8Vb3Nm6", "T5Yh1Jd0Gf8Sq7Rk-2Zp9L"])
@pytest.mark.parametrize(
    "text", ["initial admin secret printed '{}', so use it", "a scoped token (two zones): {}. Move on"]
)
def test_a_key_of_chance_needs_only_the_word_for_it(text: str, secret: str) -> None:
    assert _shown(text.replace("{}", secret)) == text.replace("{}", MASK)


def test_where_names_crowd_each_word_is_judged_by_itself() -> None:
    shown = _shown("password=kettle1 token: 'moss77' my password Kettle!Moss7 key=value pwd=[] " * 40)

    assert shown == f"password={MASK} token: '{MASK}' my password {MASK} key=value pwd=[] " * 40

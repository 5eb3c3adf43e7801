"""What looks like a password is masked anywhere in a sentence, line or call that mentions logging in."""

import json

import pytest

from shared.secrets.masking import MASK, masked


def _shown(text: str) -> str:
    """The masked `text`, which must be masked alike in a line of JSON."""
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
def test_a_strong_shape_is_a_password_anywhere_in_a_line_about_logging_in(text: str, secret: str) -> None:
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
def test_words_joined_by_a_digit_are_a_password_if_linked_to_the_name(text: str, secret: str) -> None:
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
def test_hosts_versions_names_and_code_in_a_line_about_logging_in_stay(text: str) -> None:
    assert _shown(text) == text


@pytest.mark.parametrize("secret", ["Kettle.Moss", "kettle-on-moss", "otter.on.moss", "Moss_Kettle", "lantern7moss"])
@pytest.mark.parametrize(
    "text",
    [
        "ssh in as deploy, password {}",
        "the password of the exports is always {}. Decrypt them with it",
        "seeds create an admin with {} as password, sign in with that",
        "connecte-toi avec admin et le mdp {} puis regarde",
        "usuario: tienda, clave: {} (mongo)",
        "das Kennwort ist noch {}, danke",
        "ich hab das DB-Passwort geändert, es lautet jetzt {}.",
        "hasło do bazy to {}, sprawdź",
        "heslo k serveru je {}",
        "ftp şifresi {}, dist",
        "jelszava: {}",
        "κωδικός: {}",
        "ססמה, סיסמה: {}",
        "लॉगिन का पासवर्ड {} है",
        "パスワードは {} です",
        "用户名 bob 密码是{}。",
        "I set bob's password to {} yesterday",
        "USER bob\r\nPASS {}\r\n",
        "nmcli dev wifi connect Home password '{}'",
    ],
)
def test_joined_words_are_a_password_in_a_passwords_place(text: str, secret: str) -> None:
    assert _shown(text.replace("{}", secret)) == text.replace("{}", MASK)


@pytest.mark.parametrize("secret", ["otterpop_31", "Rabb1tHole88", "Lantern-7-Moss", "moss4kettle"])
@pytest.mark.parametrize(
    "text",
    [
        "it sits behind basic auth, fable:{} , so add that",
        'log on as "ops" using {} and purge it',
        "Log into grafana at http://x.test:3000 with admin / {} and export",
        "Zugangsdaten: bob@x.test / {} und dann",
        "the router is 192.0.2.1, root, {}. Look at it",
        "try admin with {} there",
        "for the sudo prompt type {}, it is a throwaway",
        "bteq login: prod/svc,{} now",
        "db root pass on my laptop is just {} so go on",
    ],
)
def test_the_second_half_of_a_login_is_a_password(text: str, secret: str) -> None:
    assert _shown(text.replace("{}", secret)) == text.replace("{}", MASK)


def test_the_end_of_a_clause_is_a_password_in_a_language_that_needs_no_verb() -> None:
    assert _shown("пароль от сервера Kettle-55, юзер deploy") == f"пароль от сервера {MASK}, юзер deploy"
    assert _shown("password of server Kettle-55, user deploy") == "password of server Kettle-55, user deploy"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("Unlock it (passphrase: {}) and go on", "kettle moss lantern fjord"),
        ("the wifi has the passphrase {}, put it in", "kettle otter 9 lantern"),
        ("when prompted for a passphrase enter: {}", "Eleven Purple Otters"),
        ("new wifi password: {}", "Otter Room 12"),
        ("the password is {}; next", "Otter Room 12"),
    ],
)
def test_words_are_a_passphrase_up_to_the_end_of_the_clause(text: str, secret: str) -> None:
    assert _shown(text.replace("{}", secret)) == text.replace("{}", MASK)


@pytest.mark.parametrize(
    "text",
    [
        "the password is case-sensitive, well-formed, App-specific and user-supplied",
        "password: ask your admin for it; the password is required and has eight characters",
        "use the password from 1Password, my password is someone's birthday",
        "das Passwort muss mindestens acht Zeichen haben, el contraseña debe tener ocho caracteres",
        "the password is in config.yaml, the password is user.password, password: cfg.database.value",
        "--- PASS: TestShop_TwoLines (0.00s)\nPASS: test_shop_2",
        "import pwd  # noqa: PLC0415",
        "sign in the binaries (darwin-arm64, darwin-x64) with the token of the account that was made for them",
        "feature-12 is the password reset",
        "root, dirs, files = walk; config, root, previous.indent",
        "errors.password = t('signup.tooWeak'), props.password, remoteRef: { key: x }",
        "use passkeys instead of passwords where browsers have them (WebAuthn)",
        "password = getpass.getpass()",
    ],
)
def test_words_of_a_sentence_about_passwords_stay(text: str) -> None:
    assert _shown(text) == text


@pytest.mark.parametrize("secret", ["q7Rk2Zp9Lw4Xc8Vb3Nm6", "T5Yh1Jd0Gf8Sq7Rk-2Zp9L"])
@pytest.mark.parametrize(
    "text", ["initial admin secret printed '{}', so use it", "a scoped token (two zones): {}. Move on"]
)
def test_a_random_key_needs_only_the_word_for_it(text: str, secret: str) -> None:
    assert _shown(text.replace("{}", secret)) == text.replace("{}", MASK)


def test_a_key_that_ends_a_sentence_is_masked_whole() -> None:
    key = "aB3/dE5+fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC"
    assert _shown(f"the password of the exports is {key}. Decrypt them") == (
        f"the password of the exports is {MASK}. Decrypt them"
    )


def test_among_many_names_each_word_is_judged_by_itself() -> None:
    result = _shown("password=kettle1 token: 'moss77' my password Kettle!Moss7 key=value pwd=[] " * 40)

    assert result == f"password={MASK} token: '{MASK}' my password {MASK} key=value pwd=[] " * 40

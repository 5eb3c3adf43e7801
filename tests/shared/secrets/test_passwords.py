"""A password is recognised by its form and by the words around it; text about passwords stays."""

import json

import pytest

from shared.secrets.masking import MASK, masked
from tests.shared.secrets.leak import is_gone


@pytest.mark.parametrize("secret", ["Sommer2024#x", "maple-otter-47"])
@pytest.mark.parametrize(
    "text",
    [
        "Das Passwort für den Testserver lautet {}.",
        "le mot de passe de la base est {}",
        "La contraseña del panel es {} (usuario: ana)",
        "het wachtwoord is {}",
        "密码是 {}",
        "Пароль от базы: {}",
        "The password for the new box is now {}",
        "SMTP password:\r\n    {}\r\n",
        "Password for the router:\n```\n{}\n```",
        "| Password | {} |",
        "<tr><td>Password</td><td>{}</td></tr>",
        'headers: {"x-password": ["{}"]}',
        '"db_password": {\n  "sensitive": true,\n  "value": "{}"\n}',
        "page.getByLabel('Password').fill('{}')",
        "userEvent.type(screen.getByLabelText(/password/i), '{}')",
        "page.type('input[name=password]', '{}')",
        "fill_in 'Password', with: '{}'",
        '<property name="connection.password">{}</property>',
        "Please log in. creds: bob / {}",
        "ALTER LOGIN sa WITH PASSWORD = N'{}'",
        "INSERT INTO users (id, name, password) VALUES (1, f('a, b'), '{}'), (2, 'it''s', '{}');",
        "net use Z: \\\\nas\\backup /user:ACME\\bob {} /persistent:yes",
        "security unlock-keychain -p {} login.keychain",
        "pulumi config set --secret db {}",
        "jdbc:oracle:thin:shop/{}@//db:1521/X",
        "[smtp.x.test]:587 bob@x.test:{}",
        "snmp-server community {} RO",
        "hash_hmac('sha256', '{}')",
        "WiFi.begin(ssid, '{}')",
    ],
)
def test_a_password_is_recognised_by_the_words_around_it(text: str, secret: str) -> None:
    assert is_gone(text.replace("{}", secret), secret)


@pytest.mark.parametrize(
    "text",
    [
        "log in to the shop with bob / {}",
        "I use root:{} there",
        "Use admin/{} for it",
        "rdesktop -u bob -p {} host",
        "swaks -au bob -ap '{}'",
        "secretsdump ACME/bob:'{}'@10.0.0.1",
        "$ pass show web/x\n{}\n",
        "~ % kubectl get secret db -o jsonpath='{.data.x}' | base64 -d\n{}",
        "NAME      PASSWORD        ROLE\nbob       {}     admin",
        " user | password \n------+----------\n bob  | {}\n(1 row)",
    ],
)
def test_a_password_of_letters_digits_and_signs_is_recognised_beside_a_login(text: str) -> None:
    assert is_gone(text.replace("{}", "Sommer2024#x"), "Sommer2024#x")


@pytest.mark.parametrize(
    "text",
    [
        "the password for the API is sha256 hashed; the token for step v2.1.39-beta was used",
        "password reset lands in release-2.4.1, the password is base64",
        "password to LoginForm2, password from settings_v2",
        "arn:aws:secretsmanager:eu-west-1:118204417731:secret:prod/db-8j1RlX",
        "password: {{ .Values.password | b64enc | quote }}",
        'password: System.fetch_env!("DB_PASSWORD")',
        "postgresql://user:password@localhost:5432/mydb, STRIPE_KEY=sk_" + "test_your_key_here",
        '"api_key": "API-Schlüssel"',
        "Subject Key Identifier:\n  C7:AA:B0:B4:67:3F:E2:F4",
        '{"level":"INFO"} logs/app.log:{"time":"2026-02-11T19:20:15.806713+01:00"}',
        "--- PASS: TestShop/two_lines_-_overlap (0.00s)",
        "author.login, path: .comments.nodes[0].path",
        "Password  string\nVersion2  int",
        "the seed phrase should never leave your house and never reach anyone else whatever they say about it",
        "docker run -u 1000:1000 -p 8080:80 image:1.2; ssh -l bob -p 2222 host; psql -U bob -p 5432 shop",
        "$ git log --oneline token.py\n0a1b2c3\n$ ls secrets\ndb1.txt\n$ docker secret create db f\nq2kx9vjz8abcdefgh",
        "INSERT INTO users (id, name) VALUES (1, 'Sommer2024#x');",
        "user:group1, admin/users2.py, test/case2, root:1000",
    ],
)
def test_text_about_passwords_stays(text: str) -> None:
    assert masked(text) == text
    line = json.dumps({"text": text}, ensure_ascii=False)
    assert masked(line) == line


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("the pasword of the lab is Kettle!Moss7", "Kettle!Moss7"),
        ("App password for mail: kZ3q Wm8t Lp2x Vb7n Hd4s Rc9f", "Lp2x Vb7n"),
        ("store:\n  db_password: kettle_88\n  locale: fr\n", "kettle_88"),
        ("      HOOK_SIGNATURE: kZ3qWm8tLp2xVb7nHd4sRc", "kZ3qWm8tLp2xVb7nHd4sRc"),
        ("$ show app secret\nbase64:kZ3qWm8tLp2xVb7nHd4sRc9fkZ3qWm8tLp2xVb7nHd4=\n", "kZ3qWm8tLp2xVb7nHd4sRc9f"),
    ],
)
def test_a_password_is_recognised_in_groups_with_a_typo_or_as_a_setting(text: str, secret: str) -> None:
    assert secret not in masked(text)


@pytest.mark.parametrize("frame", ["{}", "bob / {}.", 'it says "{}"', "x=`{}`", "a,{}, b"])
@pytest.mark.parametrize(
    "secret", ["Walnut!Harbor7", "P@ssHarbor2031", "walnut7&Harbor", "Walnut$2031", "Wal-nut!7-Harbor"]
)
def test_words_joined_by_a_sign_with_a_digit_are_a_password_anywhere(frame: str, secret: str) -> None:
    assert masked(frame.replace("{}", secret)) == frame.replace("{}", MASK)


@pytest.mark.parametrize(
    "text",
    [
        "Outer$Inner2 Walnut$1 Sheet1!AB12 harbor@Host2 react@18 README#L12 RFC6749#Token 10^Harbor",
        "f&128 Local&#x3C Harbor%2FWalnut VecI32##suffix WAL!NUT7 walnut!harbor7 Harbor&&Walnut2 https://x.test/Harbor!7",
    ],
)
def test_places_addresses_and_expressions_of_such_words_stay(text: str) -> None:
    assert masked(text) == text

"""A secret is known by its form and by what stands around it, and what only looks like one stays."""

import base64
import json

import pytest

from shared.secrets.masking import MASK, masked


@pytest.mark.parametrize(
    "text",
    [
        "redis-cli -u redis://default:P@{}@cache:6379/0",
        r"smbclient //srv/share -U 'ACME\bob%{}'",
        "sonar-scanner -Dsonar.login={}",
        "conan remote login -p {} acme bob",
        "nuget push a.nupkg {}881g5c9xi1ik2u3lki0voi7sh02 -Source https://x.test",
        'expect "assword:"; send "{}\\r"',
        "child.expect('Password:')\nchild.sendline('{}')",
        'pymysql.connect("db", "root", "{}", "shop")',
        "requests.get(url, auth=('bob', '{}'))",
        "HTTPBasicAuth('bob', '{}')",
        'new NetworkCredential("bob", "{}")',
        'new DirectoryEntry("LDAP://x.test",\n    "bob", "{}")',
        "PASSWORD elastic = {}",
        "curl -u '{}:' https://x.test",
        "use the following password to proceed:\n\n{}\n",
        "Unseal Key 1: {}kcXU5TSZ6nWAoKU9AkcoJmxdyjjri",
        "the password is 'walnut{}'",
        "Ldap password ---- {}",
        "psexec host -u bob -p {} cmd",
    ],
)
def test_a_secret_is_known_by_where_it_stands(text: str) -> None:
    whole = text.replace("{}", "Sommer2024x")
    assert "Sommer2024x" not in masked(whole)
    assert "Sommer2024x" not in masked(json.dumps(whole))


@pytest.mark.parametrize(
    "text", ["PIN: 493027", "the PIN for the box is 49301 now", '{"pin": "4930"}', "card_pin=4930"]
)
def test_the_digits_of_a_pin_are_masked(text: str) -> None:
    assert "4930" not in masked(text)


@pytest.mark.parametrize("text", ["pin: 17", "pinned: 4930", "spin = 4930", "BCM pin 4930 is high", "pin=4930.5"])
def test_other_numbers_stay(text: str) -> None:
    assert masked(text) == text


_RUN = "q7Rk2Zp9Lw4Xc8Vb3Nm6" + "T5Yh1Jd0Gf8S"
"""Letters and digits of chance, as a key has them."""


def _is_gone(text: str, secret: str) -> bool:
    return secret not in masked(text) and secret not in masked(json.dumps({"text": text}, ensure_ascii=False))


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
def test_a_password_is_known_by_what_is_said_of_it(text: str, secret: str) -> None:
    assert _is_gone(text.replace("{}", secret), secret)


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
def test_a_password_of_letters_digits_and_signs_is_known_where_a_login_stands(text: str) -> None:
    assert _is_gone(text.replace("{}", "Sommer2024#x"), "Sommer2024#x")


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
def test_letters_and_digits_of_chance_are_a_key(text: str) -> None:
    assert _is_gone(text.replace("{}", _RUN), _RUN)


@pytest.mark.parametrize("name", ["ARG SHOP_DEPLOY", "export COOKIE_SALT"])
def test_a_shorter_run_is_a_key_where_it_is_a_setting(name: str) -> None:
    assert masked(f"{name}={_RUN[:20]}") == f"{name}={MASK}"
    assert masked(f"see {_RUN[:20]} there") == f"see {_RUN[:20]} there"


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
        "BUILD_HASH={}",
        "/opt/{}/bin",
        "{}+/a",
    ],
)
def test_an_identifier_of_chance_stays(text: str) -> None:
    assert masked(text.replace("{}", _RUN)) == text.replace("{}", _RUN)


@pytest.mark.parametrize("text", ["accounts: ['{}']", "new Wallet('{}', node)", "privateKeyToAccount('{}')"])
def test_the_key_of_a_wallet_is_masked(text: str) -> None:
    assert _is_gone(text.replace("{}", "0x" + "0a1b2c3d" * 8), "0a1b2c3d" * 8)


def test_the_list_that_stands_in_for_a_login_is_masked_whole() -> None:
    codes = "1. ed0c3-b9418\n2. 25ac9-0fabd\n3. c5aee-c915e"
    words = "maple otter river candle forest window silver copper garden winter button pencil"

    assert masked(f"Save your recovery codes:\n{codes}\nBye") == f"Save your recovery codes:\n1. {MASK}\nBye"
    for text in (f"Your recovery phrase:\n\n{words}\n", f"fromMnemonic('{words}')", f"seed phrase: {words}"):
        assert _is_gone(text, words)


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
def test_what_is_said_of_passwords_stays(text: str) -> None:
    assert masked(text) == text
    line = json.dumps({"text": text}, ensure_ascii=False)
    assert masked(line) == line


@pytest.mark.parametrize(
    "text",
    [
        'sql.Open("mysql", "shop:{}@tcp(10.0.0.4:3306)/shop")',
        "proxy: shop:{}@10.0.0.4:8080",
        '"DRIVER={SQL Server};UID=sa;PWD={{}}"',
        "WIFI:S:Attic;T:WPA;P:{};;",
        "echo {} | az devops login --organization https://x.test",
        "printf '%s' {} | oc login --token -",
        "Write-Output {} | docker login -u bob --password-stdin",
        "KeyName    Permissions    Value\n---------  -------------  ------\nkey1       FULL           {}==\n",
        "Password for the elastic user (reset with `bin/reset -u elastic`):\n  {}\n",
        '"attributes": {"result": "{}"}, "type": "random_password"',
        '"type": "random_password", "instances": [{"attributes": {"result": "{}"',
        'net use Z: x "{}" /user:ACME /persistent:no',
        "$ kubectl exec x -- printenv DASH_PW\n{}",
        "# wg show wg0 private-key\n{}",
        '<wsse:Password Type="#PasswordText">{}</wsse:Password>',
        "[10:41] tom: the login?\n[10:42] ines: pw\n[10:42] ines: {}\n",
        "<tom> password?\n<ines> {}\n",
    ],
)
def test_a_secret_is_known_by_the_form_that_holds_it(text: str) -> None:
    secret = "Walnut7#harbor" if "==" not in text else "q7Rk2Zp9Lw4Xc8Vb3Nm6T5Yh1Jd0Gf8S"
    assert _is_gone(text.replace("{}", secret), secret)


@pytest.mark.parametrize(
    "text",
    [
        "fmt.Sprintf('%s:%s@tcp(%s)/shop'); 'user:password@tcp(db)/shop'; ${USER}:${PASS}@tcp(db:3306)/shop",
        "postgres:16@sha256:0a1b2c3d0a1b2c3d",
        'f"UID=x;PWD={config.password2};" f"UID=x;PWD={word!r};"',
        "echo yes | az login; echo step2done | tee log && az login; echo entry2ofme | grep login",
        "Name        Value\n----        -----\nUser-Agent  Mozilla/5.0-Windows-NT-10-Win64-x64-AppleWebKit\n",
        '<Password strength="2">Weak</Password>',
        "[09:12] shop: pass\n[09:13] shop: next_case\nauth: password\nuser: shop_db1\n",
    ],
)
def test_such_forms_without_a_secret_stay(text: str) -> None:
    assert masked(text) == text


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
def test_a_key_is_known_by_what_hands_it_out(text: str) -> None:
    key = "q7Rk2Zp9Lw4Xc8Vb3Nm6" if "{}" in text else text.split("\n")[1]
    assert _is_gone(text.replace("{}", key), key)


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
def test_a_password_is_known_in_groups_with_a_typing_error_or_as_a_setting(text: str, secret: str) -> None:
    assert secret not in masked(text)


@pytest.mark.parametrize(
    "text", ["password: four word long text here is fine", "signature: kZ3qWm8tLp2xVb7n", "pasword"]
)
def test_what_only_begins_like_them_stays(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize("frame", ["{}", "bob / {}.", 'it says "{}"', "x=`{}`", "a,{}, b"])
@pytest.mark.parametrize(
    "secret", ["Walnut!Harbor7", "P@ssHarbor2031", "walnut7&Harbor", "Walnut$2031", "Wal-nut!7-Harbor"]
)
def test_words_with_a_sign_within_and_a_digit_are_a_password_wherever_they_stand(frame: str, secret: str) -> None:
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


@pytest.mark.parametrize(
    "text",
    [
        'MailClient("0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d", "{}")',
        "GET(url, query = list(appid = '{}'))",
        "weather login keeps asking, just give it {}",
        "transcribe it w/ deepvoice -> {}",
        "https://api.x.test/v6/{}/latest/EUR",
        "https://cal.x.test/ical/private-{}/basic.ics",
        "my shop pro key: {} ; grab it",
        '<string name="weather_key">{}</string>',
        "weather_key: {}",
    ],
)
def test_a_key_in_hexadecimal_is_known_by_what_it_is_handed_to(text: str) -> None:
    key = "8dfdd0021d8bc54842a5eec9abd29d95"
    assert _is_gone(text.replace("{}", key), key)


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
def test_an_identifier_in_hexadecimal_stays(text: str) -> None:
    whole = text.replace("{}", "8dfdd0021d8bc54842a5eec9abd29d95")
    assert masked(whole) == whole


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("mqtt_user: hass\nmqtt_password: Harborwalnut_9", "Harborwalnut_9"),
        ("비밀번호: kettle88moss", "kettle88moss"),
        ("mật khẩu là kettlemoss88", "kettlemoss88"),
        ("数据库密码是 kettlemoss88", "kettlemoss88"),
        ("密码\uff1akettlemoss88", "kettlemoss88"),
        ("heslo je kettlemoss88", "kettlemoss88"),
        ("staging is behind basic auth (preview, letmoss2024)", "letmoss2024"),
        ("creds are deploy:kettle42", "kettle42"),
        ("you can get in with deploy / Kettle42", "Kettle42"),
        ("mailer@x.test:Kettle42", "Kettle42"),
        ("Set DB_PASS to kettle42 in the env", "kettle42"),
        ("API key for openweather 8dfdd0021d8bc54842a5eec9abd29d95", "8dfdd0021d8bc54842a5eec9abd29d95"),
        ("https://x.test/invite/9f8e7d6c5b4a39281706abcdef", "9f8e7d6c5b4a39281706abcdef"),
        ("useradd -p kettle42 bob", "kettle42"),
        ('#define WIFI_PASSWORD "kettlemoss"', "kettlemoss"),
        ('char pass[] = "kettle42";', "kettle42"),
        ('ENV["DB_PASSWORD"] ||= "kettlemoss"', "kettlemoss"),
        ('rollbar.init("8dfdd0021d8bc54842a5eec9abd29d95", "prod")', "8dfdd0021d8bc54842a5eec9abd29d95"),
        ("vault kv put secret/x value=kettlemoss", "kettlemoss"),
        ("consul kv put db/pass kettle42", "kettle42"),
        ("$ cat config/master.key\n8dfdd0021d8bc54842a5eec9abd29d95", "8dfdd0021d8bc54842a5eec9abd29d95"),
        ("composer config github-oauth.github.com 8dfdd0021d8bc54842a5eec9abd29d95eec9abd2", "8dfdd0021d8bc548"),
        ("gmail app password is lfditqfplvopwhkf, use it", "lfditqfplvopwhkf"),
        ("supabase db password: xEkFGVLnAwLMuyZP  project ref", "xEkFGVLnAwLMuyZP"),
        ("join our wifi, ssid Shop-5G, key walnutbread2020, then", "walnutbread2020"),
        ("to open the xlsx you need the code 48261973", "48261973"),
        ("encrypt it with Oak barrel 12 ducks as passphrase, please", "Oak barrel 12 ducks"),
        ("has the passphrase purple harbor walnut 9, set it up", "purple harbor walnut 9"),
        ("basic.auth.user.info=Q4KZ7MX2VBT5NLWA:54zfM5l+3/CyoYMPNXevwMcw", "54zfM5l+3/CyoYMPNXevwMcw"),
        ("jwt.sign({ id: user.id }, 'walnut-harbor-token', { expiresIn: '1d' })", "walnut-harbor-token"),
        (">>> Fernet.generate_key()\nb'DQe2H4rwV-1igkmYNPOLNKtKq9STttwsh2xOIaP4HP8='", "DQe2H4rwV-1igkmYNPOLNKtKq9"),
        ("$ php artisan key:generate --show\nbase64:3MdctbjrAFnxDL5/N318HcrfkeM+clJ+X0gNXi7hVuU=", "3MdctbjrAFnxDL5"),
        (
            "basicauth.users=mira:$$2y$$05$$93y2xwOYByuTKOlhz4u0oftJiEmc8ihBr50iFyoo4rQcL7qyQ0kc7",
            "93y2xwOYByuTKOlhz4u0oft",
        ),
        ("htpasswd -bB -c /etc/.htpasswd preview Walnut-Parade-3", "Walnut-Parade-3"),
        ("b2 authorize-account 004404b5 K004fvR5vx+EP5F3EolElGU7mC0gTeB", "K004fvR5vx+EP5F3EolElGU7mC0gTeB"),
        ("connect(user='ETL', password='Snowdrop$Etl42', account='xy12345.eu-central-1')", "Snowdrop$Etl42"),
    ],
)
def test_a_secret_is_known_in_other_forms_too(text: str, secret: str) -> None:
    assert _is_gone(text, secret)


@pytest.mark.parametrize(
    "text",
    [
        "next-auth 5.0.0-beta.25, jose 5.9.6",
        "function f(token: string, secret: Uint8Array): void",
        "'password' => ['required', Password::min(12)->uncompromised()],",
        '{"kty":"EC","x":"JwehuTNW9HOlPk2p67N3gNJXiwIx8NB6D02cG7pLCo","y":"qkZ3qWm8tLp2xVb7nHd4sRc9fkZ3qWm8tLp2xVb7nHd"}',
        "dsn: 'https://0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d@o448812.ingest.de.sentry.io/4506737294605405'",
        "https://user:pass@host/path",
        "Salesforce Account 001Z9KIe28n44n8mkx",
        're.sub(r"://([^:]+):[^@]+@", "")',
        "--- PASS: TestHarborWalnutStaysWithin (0.00s)",
    ],
)
def test_types_versions_and_public_keys_stay(text: str) -> None:
    assert masked(text) == text

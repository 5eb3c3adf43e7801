"""A secret is recognised by its form and its surroundings; what only looks like one stays."""

import json

import pytest

from shared.secrets.masking import masked
from tests.shared.secrets.leak import is_gone

HEX, CHANCE = "c41f09be77d25a36e8b0149fd3726ac5", "q7Rk2Zp9Lw4Xc8Vb3Nm6"


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
def test_a_secret_is_recognised_by_its_place(text: str) -> None:
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
        "Write-Host {} | docker login -u bob --password-stdin",
        "trojan://{}@host.example:443",
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
def test_a_secret_is_recognised_by_its_surrounding_form(text: str) -> None:
    secret = "Walnut7#harbor" if "==" not in text else "q7Rk2Zp9Lw4Xc8Vb3Nm6T5Yh1Jd0Gf8S"
    assert is_gone(text.replace("{}", secret), secret)


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


@pytest.mark.parametrize(
    "text", ["password: four word long text here is fine", "signature: kZ3qWm8tLp2xVb7n", "pasword"]
)
def test_text_that_only_begins_like_a_secret_stays(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("mqtt_user: hass\nmqtt_password: Harborwalnut_9", "Harborwalnut_9"),
        ("비밀번호: kettle88moss", "kettle88moss"),
        ("mật khẩu là kettlemoss88", "kettlemoss88"),
        ("数据库密码是 kettlemoss88", "kettlemoss88"),
        ("密码\uff1akettlemoss88", "kettlemoss88"),
        (f"kubectl exec x -- cat .erlang.cookie\n{'NSORFJDXTZ' * 2}\n", "NSORFJDXTZ"),
        (f"gcloud secrets versions access latest --secret=shop\n{HEX}\n", HEX),
        ("$ kubectl get secret x -o jsonpath='{.data.y}' | base64 -d; echo\nuwXSVnLGcIYyDEcx", "uwXSVnLGcIYyDEcx"),
        ("password for the elastic superuser is : cskXBJFu=Wux8Lb*gFFy", "cskXBJFu=Wux8Lb*gFFy"),
        ("username=bob\npassword=Kettle2.OG\n", "Kettle2.OG"),
        ("supabase link -p 'Kettle-Moss-2049'", "Kettle-Moss-2049"),
        ('nmcli dev wifi connect "Box 7590" password 48213906571184429037', "48213906571184429037"),
        ("The gate code on the intercom should be 2580 instead", "2580"),
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
        ("AGORA_APP_CERTIFICATE=8dfdd0021d8bc54842a5eec9abd29d95", "8dfdd0021d8bc54842a5eec9abd29d95"),
        ("ALGOLIA_ADMIN=8dfdd0021d8bc54842a5eec9abd29d95", "8dfdd0021d8bc54842a5eec9abd29d95"),
        ("return ['crypt' => ['key' => '8dfdd0021d8bc54842a5eec9abd29d95']];", "8dfdd0021d8bc54842a5eec9abd29d95"),
        ("  postgresPassword: kettlemoss\n", "kettlemoss"),
        ('password = """dash#board;77"""', "dash#board;77"),
        ("Password for the elastic user (reset with x):\n  XhnW-SK8uX8NXL6KDZHf", "XhnW-SK8uX8NXL6KDZHf"),
        ("mdp admin: kettlemoss88", "kettlemoss88"),
        ("пароль от тестовой базы Samovar-1961, проверь", "Samovar-1961"),
        ("*:*:*:bob:kettlemoss88", "kettlemoss88"),
        ('"totp_otp": "x", "otp": "493027"', "493027"),
        ("https://logs.x.test/inputs/5b1c9a70-3d6e-4f28-9c11-8e0f7ad24b63/tag", "5b1c9a70-3d6e-4f28-9c11"),
        ("composer config gitlab-token.gitlab.com q7Rk2Zp9Lw4Xc8Vb3Nm6", "q7Rk2Zp9Lw4Xc8Vb3Nm6"),
        ("netbird up --setup-key 5b1c9a70-3d6e-4f28-9c11-8e0f7ad24b63", "5b1c9a70-3d6e-4f28-9c11-8e0f7ad24b63"),
        ("token-x7k2p:q7rk2zp9lw4xc8vb3nm6q7rk2zp9lw4xc8vb3nm6", "q7rk2zp9lw4xc8vb3nm6"),
        ("b2 authorize-account 004404b5 K004fvR5vx+EP5F3EolElGU7mC0gTeB", "K004fvR5vx+EP5F3EolElGU7mC0gTeB"),
        ("connect(user='ETL', password='Snowdrop$Etl42', account='xy12345.eu-central-1')", "Snowdrop$Etl42"),
        ('variable "x_token" {\n  type = string\n  default = "' + HEX * 2 + '"\n}', HEX),
        (f"encryption key (hex): {HEX * 2}", HEX),
        (f"set JWT_SECRET to {HEX * 2} in both", HEX),
        (f"it used to be base64:{CHANCE}{CHANCE}abc= once", CHANCE),
        ('{"kty":"OKP","x":"' + CHANCE + 'ab","d":"' + CHANCE + 'cd"}', f"{CHANCE}cd"),
        (f"bob:1001:{HEX}:{HEX[::-1]}:::", HEX[::-1]),
        (f"| bob | *{HEX.upper()}4BE25A83 |", HEX.upper()),
        (f"bob = -pbkdf2-{HEX}0a1b2c3d,{HEX},10", f"{HEX}0a1b2c3d"),
        (f"pbkdf2_sha256$600000$wq3kd92jd8Ks${CHANCE}{CHANCE}abc=", CHANCE),
        ("u1_t APPKEY[8] = { 0xCB, 0xA4, 0x62, 0x7A, 0x8F, 0x7C, 0xEA, 0x56 };", "0xCB, 0xA4"),
        ("the app password is bbld csfx lqwi sczl, use it", "bbld csfx lqwi sczl"),
        ("App password: robe case liqu mesa", "robe case liqu mesa"),
        ("unity -serial SC-EWCF-83Y9-YLL8-1CVX-IWB4 -quit", "SC-EWCF-83Y9-YLL8-1CVX-IWB4"),
        (f"https://x.test/reset-password/{HEX}", HEX),
        (f'BUNDLE_GEMS__X__COM: "{HEX[:8]}:{HEX[8:16]}"', f"{HEX[:8]}:{HEX[8:16]}"),
        (
            '"encoded" : "MEcxTGVYWFp2YUFBckVKazp2a0duLWxmWDZYLXd3VjlY"',
            "MEcxTGVYWFp2YUFBckVKazp2a0duLWxmWDZYLXd3VjlY",
        ),
        ('"encoded" : "Ym9iOmtldHRsZS1tb3NzLTc3="', "Ym9iOmtldHRsZS1tb3NzLTc3"),
        ("radius: secret = radius_Moss_4", "radius_Moss_4"),
        ("bind_pw = Reed_Warbler_x", "Reed_Warbler_x"),
        ("password: moss_on_kettles\n", "moss_on_kettles"),
        ("nmcli dev wifi connect 'Shop 2' password 'kettlemoss'", "kettlemoss"),
        ("username bob privilege 15 password 7 081D476414A53748D3E50E", "081D476414A53748D3E50E"),
        ("WEBPASSWORD: kettleMoss!", "kettleMoss!"),
        (f"'hash_salt' => '{CHANCE}_{CHANCE}_{CHANCE}'", CHANCE),
        ("Password for bob (reset with x):\n  tvYJEYxhGCilhOtp", "tvYJEYxhGCilhOtp"),
        ("the cert needs a password, that's kettle9Moss", "kettle9Moss"),
        ("yes, use kettle9Moss to unzip it", "kettle9Moss"),
        ("open the luks volume, phrase Kr4ken-Moss", "Kr4ken-Moss"),
        ("remote desktop to build-02 as bob with Kettle_Moss72", "Kettle_Moss72"),
        ('mainnet = { key = "W08Z5VN5SBEY24EEHZ2EN4U6ZUQ4WXHS3W" }', "W08Z5VN5SBEY24EEHZ2EN4U6ZUQ4WXHS3W"),
    ],
)
def test_a_secret_is_recognised_in_other_forms_too(text: str, secret: str) -> None:
    assert is_gone(text, secret)


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
        "def test_text_that_is_not_utf8_is_refused_at_its_place() -> None:",
        "  userPassword: string\n  confirmPassword: string\n",
        "kubectl get secret-manager-for-the-service-v2",
        "BUILD_COMMIT=0a9f6d9c1b2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f",
        're.sub(r"://([^:]+):[^@]+@", "")',
        "--- PASS: TestHarborWalnutStaysWithin (0.00s)",
        "--- PASS: Harbor_walnut_stays_within",
        "return u.pass===s.pass}}(window,document);",
        "password=@/run/keys/shop.txt and password=@vault.db.password@",
        "bench --token-limit 4000 --seed 20250611",
        f'err="invalid token" traceID={HEX}',
        f"token expired for clientId=shop, sessionState={CHANCE}",
        "SASL LOGIN authentication failed: UGFzc3dvcmQ6, try again",
        'cli --password "$CLI_PASSWORD" save-all flush',
        "gcloud secrets versions access latest --secret=stripe-webhook",
        f"the commit that broke login is {HEX}c41f09be, bisect said so",
        "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
        "SASL login: pin assignment is PA4..PA7 rows, calls ListObjectsV2 with an expired token",
        'PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2Hasher"]',
        'let secret = Secret::from_env("AS2_SIGNING_KEY")',
        "the code now calls `commit1.Tfput` and then web_fetch_20260209",
        "GHSA-qwph-4952-7xr6 is fixed in 9.0.0",
        "concat db_password=kettle.password moss",
        "cat the token\nmiddlewareNames\n",
    ],
)
def test_types_versions_and_public_keys_stay(text: str) -> None:
    assert masked(text) == text

"""How long and how mixed a named value must be to count as a secret, by kind of name."""

import base64

import pytest

from shared.secrets.masking import MASK, masked
from tests.shared.credentials import PASSWORD, TOKEN


def is_masked(frame: str, value: str) -> bool:
    """Whether `value`, put into the frame's braces, is masked and nothing else."""
    result = masked(frame.format(value))
    assert result in {frame.format(value), frame.format(MASK)}
    return result == frame.format(MASK)


@pytest.mark.parametrize(
    "frame",
    [
        'command: ["serve", "--requirepass", "{}"]',
        '"args": ["--db-password", "{}", "--verbose"]',
        "Secret Access Key [None]: {}",
        "Password [****]: {}",
        "const secret = process.env.SESSION_SECRET ?? '{}'",
        "secret: process.env.SESSION_SECRET || '{}',",
        "key = os.environ.get('API_SECRET') or '{}'",
        "snmpget -v3 -u monitor -A zebraWax77 -x AES -X {} host",
    ],
)
def test_arguments_in_a_list_prompts_with_a_default_and_fallbacks_are_names_too(frame: str) -> None:
    assert MASK in masked(frame.format(PASSWORD))
    assert PASSWORD not in masked(frame.format(PASSWORD))


@pytest.mark.parametrize(
    "text",
    [
        '["--password", "--verbose"]',
        '["--password-file", "/run/secrets/db"]',
        "level = options.PASSWORD_POLICY ?? 'strict'",
        "Password [None]: ",
        "if not token or 'expired' in token:",
    ],
)
def test_text_that_only_looks_like_an_argument_prompt_or_fallback_stays(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize("value", [PASSWORD, "f8Jd03kLmQ2x", "q7Rk2!Zp9"])
@pytest.mark.parametrize(
    "frame",
    [
        'const apiKey string = "{}"',
        '\tAPIToken   string        = "{}"',
        "var dbSecret []byte = []byte(`{}`)",
        "apiToken?: string = '{}';",
        'static API_TOKEN: &\'static str = "{}";',
        'let api_key: Option<&str> = Some("{}");',
        'var apiToken: String? = "{}"',
        'const std::string apiToken{{"{}"}};',
        'public string ApiKey {{ get; set; }} = "{}";',
        'Const API_KEY As String = "{}"',
        "DECLARE @pwd NVARCHAR(50) = N'{}'",
        "DECLARE @pwd AS NVARCHAR(50) = '{}'",
        "l_password CONSTANT VARCHAR2(100) := '{}';",
        "api_token TEXT DEFAULT '{}'",
    ],
)
def test_the_type_of_a_variable_may_stand_before_its_value(frame: str, value: str) -> None:
    assert is_masked(frame, value)


@pytest.mark.parametrize("value", [PASSWORD, "f8Jd03kLmQ2x", "q7Rk2!Zp9"])
@pytest.mark.parametrize(
    "frame",
    [
        'parser.add_argument("-p", "--password", type=str, default="{}", help="x")',
        "parser.add_argument(\n    '--api-key', help='the key (optional)',\n    default='{}',\n)",
        '@click.option("--token", prompt=True, default="{}")',
        '@Option(names = {{"-p", "--password"}}, defaultValue = "{}")',
        '#[arg(long = "password", default_value = "{}")]',
        ".option('--password <pw>', 'the password', '{}')",
        '.option("token", {{alias: "t", default: "{}"}})',
        'flags.StringVarP(&pw, "password", "p", "{}", "the password")',
        '{{"name":"DB_PASSWORD","required":true,"default":"{}"}}',
        'api_token: str = Field("{}", env="X")',
        'password = models.CharField(max_length=64, default="{}")',
        'config.get("db", "password", fallback="{}")',
        "$p = getenv('DB_PASSWORD') ?: '{}';",
        "process.env.API_TOKEN ||\n    '{}'",
        "process.env.API_TOKEN! || '{}'",
        "$ENV{{DB_PASSWORD}} // '{}'",
        'ENV.fetch("DB_PASSWORD") {{ "{}" }}',
        'ENV["API_TOKEN"].presence || "{}"',
    ],
)
def test_the_default_of_an_option_or_a_variable_is_its_value(frame: str, value: str) -> None:
    assert is_masked(frame, value)


@pytest.mark.parametrize(
    "text",
    [
        'const tokenType string = "Bearer"; var apiKey string = os.Getenv("KEY_2"); const keyName string = "cache-v2-"',
        'Password string `yaml:"password2"`; func Login(password string, token string) error',
        'password: str = ""; password: Optional[str] = None; let token: Option<&str> = None;',
        'public string Password { get; set; } = ""; DECLARE @pwd VARCHAR(50) = @input2',
        'password: str = Field(default=None, description="of 8 characters"); password = models.CharField("Password")',
        'parser.add_argument("--password", default="changeme")',
        'parser.add_argument("--password", default="your-password")',
        'parser.add_argument("--password", help="of 8 characters"); parser.add_argument("--host", default="db1.test")',
        'parser.add_argument("--token-type", default="bearer2x"); parser.add_argument("--sort-key", default="added2")',
        '{"name":"password","type":"string"},{"name":"region","default":"eu-west-1a"}',
        '{"required":["user","password"],"port":{"default":"8080abcd"}}',
        '{"enum":["password","token"],"default":"oauth2-pkce"}',
        ".option('--token <token>', 'token of the v2 API', process.env.TOKEN2)",
        "getenv('DB_PASSWORD') ?: throw new Error2('x'); errors.password || 'At least 8 characters'",
        'ENV.fetch("DB_PASSWORD") { raise "DB_PASSWORD missing 1" }; password VARCHAR(255) NOT NULL DEFAULT \'\'',
    ],
)
def test_a_type_without_a_value_and_a_default_that_says_nothing_stay(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize(
    ("frame", "shortest", "too_short"),
    [
        ("authorization: {}", "ab12c3", "ab12c"),
        ("auth: {}", "ab12c3d4", "ab12c3d"),
        ("https://host/?sig={}&x=1", "ab12c3d4", "ab12c3d"),
        ("password('{}')", "ab12c3", "ab12c"),
        ("the pwd is {} now", "ab12c3d4", "ab12c3d"),
        ("the passphrase is {} now", "ab12c3", "ab12c"),
        ("the token is {}", TOKEN[:16], TOKEN[:15]),
        ("seed_phrase = '{}'", "zebra harbor", None),
        ("password = '{}'", "zeb9", "zeb"),
        ("TOKEN = '{}'", "zeb9", "zeb"),
        ("api_key = '{}'", "zebrawax", "zebrawa"),
        ("credentials = '{}'", "zebrawax", "zebrawa"),
        ("client_token = '{}'", "zebrawax", "zebrawa"),
        ("my_token = '{}'", "zeb9ra", "zeb9r"),
        ("my_token = '{}'", "zebra-wax-harbor-fox", "zebra-wax-harbor-fo"),
        ("password: {}", "4815", "481"),
        ("MY_TOKEN={}", "zebw", "zeb"),
        ("password: {}", "zebra9", "zeb9"),
        ("password: {}", "zebr9", "zeb9"),
        ("password: {}", "ze!9b", "ze!9"),
        ("api_key: {}", "zebra-9x", "zebr-9x"),
    ],
)
def test_a_value_is_a_secret_from_a_minimum_length_on(frame: str, shortest: str, too_short: str | None) -> None:
    assert is_masked(frame, shortest)
    assert too_short is None or not is_masked(frame, too_short)


@pytest.mark.parametrize(
    ("frame", "value"),
    [
        ("authorization: {}", "harbors"),  # no digit: a word
        ("the pwd is {} now", "src/app9.py"),
        ("the pwd is {} now", "get9_value"),
        ("token = call('{}')", "ab12c3"),
        ("my_token = '{}'", "settings.tokens.of_users"),
        ("seed: {}", "481516"),
        ("token: {}", "481516"),
        ("tool --password {}", "--verbose"),
        ("tool --password {}", "-verbose"),
        ("password {}", "src/app9.py"),
        ("    password={},", "zebra"),
        ("call(password={})", "zebra"),
        ("my_password = {}", "zebra"),
        ("password: {}", "string"),
        ("    password: {},", "zebra"),
        ("{{ password: {} }}", "zebra"),
        ("Password: {}", "zebra"),
        ("pass: {}", "zebra"),
        ("compass={}", "zebra"),
        ("token: {}", "zebra-wax!x"),
        ("token = '{}'", "zebra harbor9 wax"),
        ("TOKEN: {}", "zebrawax"),
        ("TOKEN {}", "zebrawax"),
        ("the words 'password', '{}'", PASSWORD),
        ("call(password, '{}')", PASSWORD),
        ("It sends Basic {} first", "formats"),
        ("MY_KEY='{}'", PASSWORD),
        ("MYKEY: {}", PASSWORD),
        ("key = '{}'", PASSWORD),
        ("MY_TOKEN={}", "zebra("),
        ("my_token: {}", "next_token2"),
        ("signature: {}", TOKEN),
        ("pass\n{}", PASSWORD),
        ("password = '{}'", "required|string|min:12"),
        ("password: {}", "must-be-at-least-eight"),
        ("password = {}", "forgot-password-link"),
        ("ED25519 key fingerprint is {}.", f"SHA256:{TOKEN * 2}"),
        ("SHOP_LOGIN={}", "bob.harbor@shop.test"),
        ('salt: "{}"', "0a1b2c3d" * 4),
        ('cacheKey="{}"', "0A1B2C3D" * 4),
        ('restoreKey: "{}"', "0a1b2c3d" * 8),
    ],
)
def test_text_that_only_looks_like_a_secret_stays(frame: str, value: str) -> None:
    assert not is_masked(frame, value)


@pytest.mark.parametrize(
    ("frame", "value"),
    [
        ("API_PAT={}", TOKEN),
        ("MY_KEY={}", PASSWORD),
        ("app.datasource.password={}", "sunshine"),
        ("tool put app/db db_password={} other=1", "sunshine"),
        ("jdbc:mysql://db/shop?user=shop&password={}&ssl=false", "sunshine"),
        ("psql 'host=db password={}'", "sunshine"),
        ("Server=.;Uid=shop;Pwd={};", "sunshine"),
        ("vars:\n  become_password: {}\n", "sunshine"),
        ("MAIL_PASSWORD = '{}'", "abcd efgh ijkl mnop"),
        ("api key = '{}'", PASSWORD),
        ("signing key: '{}'", PASSWORD),
        ("tool --password '{}'", "harbors."),
        ("tool --api-key {}", "harbors"),
        ("tool --password={}", "harbors"),
        ("the password is {} now", "ab/12c3"),
        ("password '{}'", "ab/12c3"),
        ("passphrase = '{}'", "zebra harbor"),
        ("MY_TOKEN: {}", "zebrawax"),
        ("dbPwd: {}", PASSWORD),
        ("<key>API_TOKEN</key>\n<string>{}</string>", TOKEN),
        ("MY_KEY='{}'", TOKEN),
        ("MYKEY: {}", TOKEN),
        ("MY_TOKEN={}", "get.zebra)"),
        ("the password of my shop: {}", PASSWORD),
        ("password ({})", PASSWORD),
        ("Authorization: Bearer {}", TOKEN),
        ("Authorization: token {}", "ab12c3"),
        ("password: {}", "zebra-wax!x"),
        ("password: {}", "zebra-wax"),
        ("the spare disk; passphrase: {}. Next", "zebra-harbor-walnut"),
        ("admin_passwd = {}", "zaba-meko-tiru"),
        ("Key         Value\npassphrase  {}\nuser  bob", "zebra-harbor-walnut-onyx"),
        ("passphrase: {}\n", "zebra harbor walnut onyx dune"),
        ("SHOP_PEPPER: {}", "0a1b2c3d" * 16),
        ("+ SONAR_LOGIN={}", "0a1b2c3d" * 5),
        ('<machineKey validationKey="{}" />', "0A1B2C3D" * 8),
        ('nwkSKey: "{}"', "0a1b2c3d" * 4),
        ('storeKey = "{}"', "0a1b2c3d" * 12),
    ],
)
def test_only_the_named_value_is_masked(frame: str, value: str) -> None:
    assert is_masked(frame, value)


def test_a_cookie_that_is_set_keeps_its_name_and_its_path() -> None:
    assert masked(f"Set-Cookie: session={TOKEN}; Path=/") == f"Set-Cookie: session={MASK}; Path=/"
    assert masked(f"Set-Cookie: session={TOKEN}") == f"Set-Cookie: session={MASK}"


@pytest.mark.parametrize(
    ("cookie", "expected"), [("s=zeb9ra", MASK), ("s=zeb9r", "s=zeb9r"), ("s=zebrawax", "s=zebrawax")]
)
def test_cookies_that_are_sent_are_secrets_if_they_are_long_and_mixed(cookie: str, expected: str) -> None:
    assert masked(f"Cookie: {cookie}") == f"Cookie: {expected}"


@pytest.mark.parametrize(("login", "is_one"), [("a:b", True), ("a-b", False)])
def test_the_text_after_basic_is_masked_without_its_scheme(login: str, *, is_one: bool) -> None:
    encoded = base64.b64encode(f"{login}-and-more".encode()).decode()
    assert is_masked("It sends Basic {} first", encoded) is is_one


def test_a_bearer_without_a_name_before_it_is_masked() -> None:
    assert is_masked("It sends Bearer {} first", TOKEN)
    assert not is_masked("It sends Bearer {} first", "tokens-as-usual")


def test_two_secrets_of_one_line_are_both_masked() -> None:
    assert masked(f"password={PASSWORD} token={TOKEN}") == f"password={MASK} token={MASK}"


def test_a_very_long_value_is_masked_to_its_end() -> None:
    assert masked(f"password={TOKEN * 100} next") == f"password={MASK} next"


def test_a_secret_after_letters_that_lengthen_in_lower_case_is_masked_in_place() -> None:
    assert masked(f"\u0130\u0130\u0130 password={PASSWORD} next") == f"\u0130\u0130\u0130 password={MASK} next"

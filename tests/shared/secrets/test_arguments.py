"""A secret is recognised by its call: a password by one that logs in, a key by one that makes a client."""

import json

import pytest

from shared.secrets.masking import MASK, masked

HEX, CHANCE = "c41f09be77d25a36e8b0149fd3726ac5", "q7Rk2Zp9Lw4Xc8Vb3Nm6"


@pytest.mark.parametrize("secret", ["Velvet-Otter-58", "kettle88moss", "Moss!Kettle7", "Lantern_Moss21"])
@pytest.mark.parametrize(
    "text",
    [
        'ConnectOptions::with_user_and_password("edge".into(), "{}".into())',
        'env.put(Context.SECURITY_CREDENTIALS, "{}");',
        'smtp.PlainAuth("", "bob@x.test", "{}", "host")',
        "DriverManager.getConnection(url, user, '{}')",
        "auth: ['bob', '{}']",
        "'auth' => ['bob', '{}']",
        "session.auth = ('bob', '{}')",
        "request.basic_auth 'bob', '{}'",
        'keyStore.load(new FileInputStream(file), "{}".toCharArray());',
        'new SecretKeySpec("{}".getBytes("UTF-8"), "HmacSHA256")',
        "CryptoJS.AES.encrypt(text, '{}')",
        'sessions.NewCookieStore([]byte("{}"))',
        'OptsBuilder::new().user(Some("bob")).connect(Some("{}"))',
        'new Sequelize("db", "bob", "{}", { dialect: "x" })',
        'userManager.CreateAsync(user, "{}")',
        'DBI->connect("dbi:Oracle:host=h;sid=X", "bob", "{}")',
    ],
)
def test_a_passwordlike_argument_of_a_login_or_encryption_is_masked(text: str, secret: str) -> None:
    _is_masked(text, secret)


@pytest.mark.parametrize(
    "secret", ["kettlemoss", "lantern-glow", "Tiger_Stripe", "OpenSesame", "sunny-side-up", "Kettle.Moss"]
)
@pytest.mark.parametrize(
    "text",
    [
        "smtp.login('bob@x.test', '{}')",
        'getConnection(url, "scott", "{}")',
        "ldap_bind($ds, 'cn=reader,dc=x', '{}')",
        "HTTPBasicAuth('svc', '{}')",
    ],
)
def test_joined_words_after_a_user_name_are_a_password(text: str, secret: str) -> None:
    _is_masked(text, secret)


@pytest.mark.parametrize(
    "text",
    [
        "algoliasearch('N2BVP6CI8Y', '{}')",
        "require('messagebird')('{}')",
        'mandrill.Mandrill("{}")',
        'StreamChat.getInstance("k3v8d2p5q7x4", "{}")',
        'Razorpay::setup("rzp_live_a1b2", "{}")',
        'binance.NewClient(id, "{}")',
        "filestack.init('{}')",
        'new ShopClient("x.test",\n            "{}")',
    ],
)
@pytest.mark.parametrize("secret", [HEX, CHANCE, CHANCE.lower() * 2])
def test_a_keylike_argument_of_a_client_constructor_is_masked(text: str, secret: str) -> None:
    _is_masked(text, secret)


@pytest.mark.parametrize("secret", ["hm@74Sparrow", "&Anchor283bramble", "!Thistle436kettle"])
@pytest.mark.parametrize("text", ['bcrypt.hash("{}", 10)', 'create_superuser("bob", "{}")', "Hash::make('{}')"])
def test_a_password_with_a_sign_is_not_mistaken_for_a_reference(text: str, secret: str) -> None:
    _is_masked(text, secret)


@pytest.mark.parametrize(
    "text",
    [
        f'assert_equal("x", "{HEX}")',
        'password.encode("latin1")',
        'password.encode("iso-8859-15")',
        'auth("shop/cart@1.4.2")',
        f'plumbing.NewHash("{HEX}")',
        'connect("db-prod", "utf8mb4")',
        'tokenizer("o200k_base")',
        'login(page, {"id": "toolu_01A2b3C4d5E6f7G8h9I0"})',
        'answer(tokens, ids=["toolu_1"], model="model-opus-4-6")',
        'if (auth) return load("chapter-2024")',
    ],
)
def test_the_arguments_of_other_calls_stay(text: str) -> None:
    assert masked(text) == text


def _is_masked(text: str, secret: str) -> None:
    whole, masked_text = text.replace("{}", secret), text.replace("{}", MASK)
    assert masked(whole) == masked_text
    assert secret not in masked(json.dumps({"text": whole}))

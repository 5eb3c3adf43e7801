"""A name that says "password" makes its value a secret; one that says "public" doesn't."""

import json

import pytest

from shared.secrets.masking import MASK, masked
from tests.shared.credentials import TOKEN


@pytest.mark.parametrize(
    ("frame", "value"),
    [
        ('provider "x" {{\n  user                 = "bob"\n  password             = "{}"\n}}', "Harbor1!lab"),
        ('<Resource name="jdbc/x"\n  password="{}" url="jdbc:db2://h:5/X"/>', "Db2Admin#7"),
        ("<Password>\n    <Value>{}</Value>\n</Password>", "Heron-Lake1"),
        ('<Pass encoding="base64">{}</Pass>', "SGVyb25MYWtlU3Rvbmc="),
        ("<password>{}</password>", "{AQAAABAAAAAWHeronLakeq7Rk2Zp9Lw4Xc8=}"),
        ("db.password={}\ndb.pool=4", "Harbor_Quiet"),
        ("db.password={}\ndb.pool=4", "Harbor.Quiet7"),
        ("jdbc:postgresql://db/app?user=app&password={}&ssl=false", "harbor_Beads_7"),
        ("The password for bob is {}; next", "Harbor&Beads7"),
        ("//nas/x /mnt cifs username=bob,password={},_netdev 0 0", "tulip_Field_B"),
        ("[smtp]\nuser = bob\npassword = {}\n", "tulip_in_the_rain"),
        ("mqtt_user: bob\nmqtt_password: {}\n", "tulip-Onion-Rings"),
        ("  become_password: {}\n", "Heron_Lake"),
        ("  become_password: {}\n", "Heron.Lake6"),
        ("http POST :3000/login email=bob@x.test password={}\n", "LetMeIn.Heron"),
        ("ansible_ssh_pass={}\n", "Heron.Lake"),
        ("postgresPassword: {}\n", "heron-lake"),
        ("{{'USER': 'bob', 'PASSWORD': '{}', 'HOST': 'db'}}", "Heron lake 8"),
        ("SECRET_KEY = '{}'", "herons cross lakes slowly"),
        ('network={{\n  psk="{}"\n}}', "cranes over the lake"),
        ("session({{ secret: '{}', resave: false }})", "violin cat Paints fence"),
        ('my key passphrase is "{}", use it', "seven blue herons 61"),
        ("pass_phrase={}\nregion=x", "Bagel!Orbit!5"),
        ("the app password, which is '{}'", "abcd efgh ijkl mnop"),
        ("use SHOP_APP_PASSWORD {}, please", "abcd-efgh-ijkl-mnop"),
        ("SHOP_API_KEY should be {} there", "0a1b2c3d" * 4),
        ("Authorization: Splunk {}", "0a1b2c3d-1111-4222-8333-444455556666"),
        ("routing_key: {}", "0a1b2c3d" * 4),
        ('"password_hash":"{}"', TOKEN * 2),
        ('{{"appKeys":"{}"}}', "q7Rk2Zp9Lw4Xc8Vb3Nm6Tg=="),
        ('{{"encrypt":"{}"}}', "q7Rk2Zp9Lw4Xc8Vb3Nm6Tgq7Rk2Zp9Lw4Xc8Vb3Nm6T="),
        ('field("String", "WEATHER_KEY", "\\"{}\\"")', "0a1b2c3d" * 4),
        ("AUTH_SALT='{}'", "fZ#e7No+w[f.%hFvwm2,I?[?*[/.>{75RwnmoWq48"),
    ],
)
def test_a_strong_name_makes_any_value_but_code_and_placeholders_a_secret(frame: str, value: str) -> None:
    assert masked(frame.format(value)) == frame.format(MASK)
    line = json.dumps({"text": frame.format(value)}, ensure_ascii=False)
    assert json.loads(masked(line)) == {"text": frame.format(MASK)}


@pytest.mark.parametrize(
    "text",
    [
        "password = form.password",
        "password: hashed_password,",
        "login(user=user, password=row_value)",
        "connect(\n    password=row_value\n)",
        "const body = {\n  password: hashedValue,\n}",
        '"password": "Password must have 8 characters"',
        "password: 'should contain uppercase letters'",
        "password: 'required|min:8'",
        '<input type="password" name="password">',
        "Password=#{Sql.Password}#;",
        "password = open_sesame",
        "routing_key: order.created.v2",
        '"password_hash": "argon2id"',
        "BUILD_TOKEN_FILE=/var/run/secrets/token\nROLE_ARN=arn:aws:iam::958981523259:role/shop",
        "checksum/secret: " + "0a1b2c3d" * 8,
        "aws secretsmanager describe-secret --secret-id prod/db-main",
        "<PublicKeyToken>31bf3856ad364e35</PublicKeyToken>",
        "- [ ] Pass linting: `task run lint`",
    ],
)
def test_code_messages_and_references_after_a_strong_name_stay(text: str) -> None:
    assert masked(text) == text
    line = json.dumps({"text": text}, ensure_ascii=False)
    assert masked(line) == line


@pytest.mark.parametrize(
    "text",
    [
        "STRIPE_KEY=pk_" + "live_51q7Rk2Zp9Lw4Xc8Vb3Nm6",
        "Stripe('pk_" + "test_51q7Rk2Zp9Lw4Xc8Vb3Nm6')",
        "mapboxgl.accessToken = 'pk." + "eyJ1IjoiYm9iIiwiYSI6InE3UmsyWnA5THc0WGM4VmIifQ.q7Rk2Zp9Lw4Xc8Vb3Nm6Tg'",
        "POSTHOG_KEY=phc_" + "q7Rk2Zp9Lw4Xc8Vb3Nm6T5Yh1Jd0Gf8Sq7Rk2Zp9",
        "NEXT_PUBLIC_SENTRY_KEY=" + "0a1b2c3d" * 4,
        "VITE_RECAPTCHA_SITE_KEY=6Lq7Rk2Zp9Lw4Xc8Vb3Nm6T5Yh1Jd0Gf8SAAAA",
        "recaptchaSiteKey: '6Lq7Rk2Zp9Lw4Xc8Vb3Nm6T5Yh1Jd0Gf8SAAAA'",
        "VAPID_PUBLIC_KEY=Bq7Rk2Zp9Lw4Xc8Vb3Nm6T5Yh1Jd0Gf8Sq7Rk2Zp9Lw4Xc8Vb3Nm6",
    ],
)
def test_a_key_its_vendor_calls_public_stays(text: str) -> None:
    assert masked(text) == text

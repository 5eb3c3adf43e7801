"""Forms in which unseen texts held a secret, or what looks like one."""

import pytest

from shared.secrets.masking import masked

HEX, CHANCE = "0a1b2c3d4e5f6a7b" * 2, "q7Rk2Zp9Lw4Xc8Vb3Nm6"
UUID = "3e66f44e-48c4-4aed-912d-043ce8f9578d"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("  bindCredentials: Lighthouse1!\n", "Lighthouse1!"),
        ("  bindpw: kRtrz-mossy_3\n", "kRtrz-mossy_3"),
        ("userPassword: kRtMossQx\n", "kRtMossQx"),
        ("curl -s 'https://a.test/cron.php?secret=kRtMossQxwalnutHarbor' >/dev/null", "kRtMossQxwalnutHarbor"),
        ("kubectl create secret generic a --from-literal=host=b --from-literal=password=Barn.Owl", "Barn.Owl"),
        ("save this recovery code somewhere for me please: rcm22-s39ch", "rcm22-s39ch"),
        ("your recovery code, somewhere safe; recovery code to keep safe:\n    99b3e-69c7b", "99b3e-69c7b"),
        ("yes Walnut123 | head -2 | passwd bob", "Walnut123"),
        ("ldappasswd -x -D cn=admin -W -s walnut1998 uid=bob", "walnut1998"),
        ("htpasswd -nbB bob Walnut-8 > .htpasswd", "Walnut-8"),
        ("caddy hash-password --plaintext 'Walnut.3'", "Walnut.3"),
        ('I rotated it, new one for bob is "Walnutgnome8509+"', "Walnutgnome8509"),
        ("$ cat /etc/openvpn/login.txt\nbackup\nWalnut007!", "Walnut007!"),
        ('M.login("bob@a.test", "sqdd ijxq czjk fmzl")', "sqdd ijxq czjk fmzl"),
        (f"docker build --build-arg FURY_AUTH={HEX}0a1b2c3d .", f"{HEX}0a1b2c3d"),
        ('requests.get(url, auth=("bob", "Walnuts!"))', "Walnuts!"),
        (f"$api = new Api(getenv('ID'), '{CHANCE}');", CHANCE),
        (f'jwt.sign(payload, "{HEX}{HEX}", {{ expiresIn: "2h" }})', HEX),
        ("-name shop@10.0.0.4\n-setcookie M1AGZ5T1ZA9R6AXPD4AI", "M1AGZ5T1ZA9R6AXPD4AI"),
        ('"result": "VUwGVa=cv9lEOti3",\n"special": true\n}, "type": "random_password"', "VUwGVa=cv9lEOti3"),
        ("#HttpOnly_a.test\tFALSE\t/\tTRUE\t17\tsessionid\tg8v0lnehho14yho72s0lyfe", "g8v0lnehho14yho72s0lyfe"),
        ("CREATE USER 'stat'@'%' IDENTIFIED BY 'Rødgrød-med-fløde';", "Rødgrød-med-fløde"),
        ("ldap_default_authtok = Bindung-Lösen-3", "Bindung-Lösen-3"),
        ("I generated a database password and stored it:\n  \u23bf  mSoxh1tknE#lwblm", "mSoxh1tknE#lwblm"),
        ("--from-literal=user=app --from-literal=password='%W!!JqusNxz6jC2'", "%W!!JqusNxz6jC2"),
        (f"npx ovsx publish a.vsix -p ovsxat_{UUID}", UUID),
        (f"$ snyk config get api\n{UUID}\n$ snyk test", UUID),
        (f'%msgid% [{UUID}@41058 tag=\\"web\\"] %msg%\\n', UUID),
        (f"bash <(curl -s https://codecov.io/bash) -t {UUID} -F unit", UUID),
        (f"│ full-tokenid │ root@pam!a │\n├───┼───┤\n│ value        │ {UUID} │", UUID),
        (f"wandb: Paste an API key and hit enter, or press ctrl+c to quit: {HEX}0a1b2c3d", f"{HEX}0a1b2c3d"),
    ],
)
def test_a_secret_is_known_in_it(text: str, secret: str) -> None:
    assert secret in text
    assert secret not in masked(text)


@pytest.mark.parametrize(
    "text",
    [
        f"gpg: using EDDSA key {HEX.upper()}0A1B2C3D",
        f"[bazel] action key {HEX}{HEX} //a:b",
        f"constant SENSOR_TOKEN = 0x{HEX}0a1b2c3d;",
        "instance i-0a key_name=a-key sg-0a1b2c3d4e5f6a7b8",
        'with key pair "a-key" (key-0a1b2c3d4e5f6a7b8)',
        "GET /authorize?code_challenge=stc4ctyzh29gr6X-qlxj_bJrJpUeWu4Pt2euBoXOYkq&code_challenge_method=S256",
        "encryptedData:\n  password: Ag" + "Bw4/Xc8Vb3" * 24 + "==",
        "bindpw: $BIND_PASSWORD",
        "password: %DB_PASSWORD_2%",
        "password='%(password2)s' % values",
        "password = %{secret:db2}",
        "password: %1$s_suffix9",
        "password: %08x-value",
        f"read the log, then hit enter: {HEX}0a1b2c3d",
        f"$ snyk config get org\n{UUID}\n",
        "bash <(curl -s https://codecov.io/bash) -F unit-tests -t integration-tests-report",
        "https://a.test/?token=${TOKEN_OF_THE_PROJECT}",
        "the new one for bob is ready; yes it works | head -2",
    ],
)
def test_what_only_looks_like_one_stays(text: str) -> None:
    assert masked(text) == text

"""Keys as bytes and in groups, and secrets of rare tools."""

import pytest

from shared.secrets.masking import masked

HEX, CHANCE = "0a1b2c3d4e5f6a7b" * 2, "q7Rk2Zp9Lw4Xc8Vb3Nm6"
UUID = "3e66f44e-48c4-4aed-912d-043ce8f9578d"
DECIMAL = "230, 238, 30, 111, 80, 198, 9, 203, 116, 106, 46, 221, 85, 50, 158, 44"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("git clone https://bob:kettle82*MOS@git.test/x.git", "kettle82*MOS"),
        ("mosquitto_passwd -b /etc/mosquitto/passwd sensor1 kettle2000!", "kettle2000!"),
        (f"NETWORK_KEY = bytes([{DECIMAL}])", DECIMAL),
        (f"advanced:\n  network_key: [{DECIMAL}]", DECIMAL),
        (f'{{"secretKey":{{"type":"Buffer","data":[{DECIMAL}]}}}}', DECIMAL),
        (f"Keypair.fromSecretKey(Uint8Array.from([{DECIMAL}]))", DECIMAL),
        (f"$ cat ~/.config/solana/id.json\n[{', '.join([DECIMAL] * 4)}]", DECIMAL),
        ("AppKey: 94 DF B9 42 E6 6A 8C 57 CD E4 A4 54 A8 B4 AE F4", "94 DF B9 42"),
        ("IRK=09:ce:62:30:27:05:30:41:2c:ab:bf:73:b1:5a:51:20", "09:ce:62:30"),
        (f"Numerical Password:\n  Password:\n    {'-'.join(['917400'] * 8)}", "917400"),
        (f"Recovery Key:\n\n\t{'-'.join(['442403'] * 8)}\n", "442403"),
        ("slmgr /ipk VGGWC-T6FMG-PTFTX-FMHJK-TK3B7", "VGGWC-T6FMG"),
        ("Product Key: C8WW8-QY88R-PHWFV-RTY4W-RG2YQ", "C8WW8-QY88R"),
        (f"https://x.webhook.office.com/webhookb2/{UUID}@{UUID}/IncomingWebhook/{HEX}/{UUID}", HEX),
        (f"curl -fsS https://hc-ping.com/{UUID}", UUID),
        ("ConvertTo-SecureString kettle7mosses -AsPlainText -Force", "kettle7mosses"),
        (f"cast send --private-key 0x{HEX * 2}", HEX),
        ("passwd bob <<EOF\nKettle7mosses\nKettle7mosses\nEOF", "Kettle7mosses"),
        ("cache_peer p parent 3128 0 login=bob:kettle7mosses", "kettle7mosses"),
        (f"{{cookie, '{CHANCE}'}}.", CHANCE),
        ("[BasicAuth]\nbob: kettle7mosses", "kettle7mosses"),
        ("nuget setapikey kettle7mosses", "kettle7mosses"),
        ("nuget push a.1.2.nupkg kettle7mosses -Source a", "kettle7mosses"),
        ("dotnet nuget push a.nupkg -s https://a.test -k kettle7mosses", "kettle7mosses"),
        ("gem push a-1.0.gem --key kettle7mosses", "kettle7mosses"),
        ("poetry config --local pypi-token.pypi kettle7mosses", "kettle7mosses"),
        ("composer config -g github-oauth.github.com kettle7mosses", "kettle7mosses"),
        ("curl_setopt($ch, CURLOPT_USERPWD, 'bob:kettle7mosses');", "kettle7mosses"),
        ("shared_key kettle7mosses", "kettle7mosses"),
        ("<password><![CDATA[Kettle7mosses]]></password>", "Kettle7mosses"),
        ("password: !!str Kettle7mosses", "Kettle7mosses"),
    ],
)
def test_a_secret_is_recognised_in_its_form(text: str, secret: str) -> None:
    assert secret in text
    assert secret not in masked(text)


@pytest.mark.parametrize(
    "text",
    [
        "input#api-key::placeholder{opacity:.5}",
        f"public_key: [{DECIMAL}], keys: [{DECIMAL}]",
        f"sort_key = {[*range(20)]}, the wallet shows [{DECIMAL}]",
        f'np.random.seed([{DECIMAL}]); "key": [{DECIMAL}]; groupByKey([{DECIMAL}]); monkey = [{DECIMAL}]',
        "public_key: 04:df:b9:42:e6:6a:8c:57:cd:e4:a4:54:a8:b4:ae:f4",
        "host key: 94:df:b9:42:e6:6a:8c:57:cd:e4:a4:54:a8:b4:ae:f4",
        "re.sub(r'://(.*):(.*)@', '://', url); s,://([a-z]*):(.*)@,,; new RegExp('://(.*?):(.*?)@')",
        "?login=oidc:complete login=read:packages [BasicAuth]\nrealm: Restricted, shared_key src/a2.py:12",
        "RSA public Key: 94:df:b9:42:e6:6a:8c:57:cd:e4:a4:54:a8:b4:ae:f4, key fingerprint: 94:df",
        "https://bob:s3cr**@git.test/x.git https://bob:*****@git.test",
        "password reset on 123456-123456, order 917400-297550-473688",
        "nuget push bin/a.1.2.3.nupkg -Source https://a.test/v3/index.json; gem push a-1.0.gem --key github",
        "dotnet nuget push a.nupkg -k $KEY -s a; poetry config pypi-token.pypi $TOKEN; composer config a.php 8.2.12",
        "passwd <<EOF is not what passwd reads; shared_key required, the shared_key rotates",
        "slmgr /ipk <key>; Product Key: see the box; login=PASS login=bob",
        "https://x.webhook.office.com/ IncomingWebhook/README https://hc-ping.com/docs",
    ],
)
def test_text_that_only_looks_like_a_secret_stays(text: str) -> None:
    assert masked(text) == text

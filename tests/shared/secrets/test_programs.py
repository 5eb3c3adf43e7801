"""A secret is recognised by the program, file or setting that takes it; mere names stay."""

import pytest

from shared.secrets.masking import MASK, masked

WORDS, UUID, HEX = "Velvet-Otter-58", "5b1c9a70-3d6e-4f28-9c11-8e0f7ad24b63", "c41f09be77d25a36e8b0149fd3726ac5"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("beeline -n bob -p {} -e shown", WORDS),
        ("security import app.p12 -k build.keychain -P '{}' -T /usr/bin/codesign", WORDS),
        ("snmpget -v2c -c {} core-1 1.3.6.1.2.1.1.3.0", WORDS),
        ("choco apikey -k {} -s https://x.test/nuget", UUID),
        ("bin/server set-single-user-credentials bob {}", WORDS),
        ("bin/add-user.sh bob {}", WORDS),
        ("C: A01 LOGIN bob {}", WORDS),
        ("mqttx sub -u 'shop@x' -P '{}' -t 'v3/up'", "NNSXS.34LQBCVF6ELEH247T2I4.67VXBC3Z2U5PNKZK7X47ZHVCKGF3NUHK"),
        ("xh x.test -A bearer -a {} --pretty=none", UUID),
        ("curl https://x.test -u {}: -G", WORDS),
        ("openssl enc -aes-256-cbc -K {} -in x", HEX),
        ("influx config create -o bench -t {} -a", "q7Rk2Zp9Lw4Xc8Vb3Nm6-q7Rk2Zp9Lw4Xc8Vb3Nm6=="),
        ('"X-Shop-Access": "{}"', HEX),
        ('"sensitive": true, "type": "string", "value": "{}"', WORDS),
        ('"RegisteredUsers": {"sync": "{}"}', "lvpPvx7oBNePSIvcNnjkhINQ!"),
        ("wandb.login(key='{}')", HEX),
        ("x_set_key('{}')", HEX),
        ("signtool sign /f a.pfx /p {} /fd SHA256 a.exe", WORDS),
        ('["CMD", "mysqladmin", "ping", "-uroot", "-p{}"]', WORDS),
        ("run(['sshpass', '-p', '{}', 'ssh', 'host'])", WORDS),
        ('["redis-cli",\n "-a",\n "{}",\n "ping"]', WORDS),
        ('{"text":"htpasswd -b /etc/x ops {}","n":1}', "Sbv6OTKRepQxUu"),
        ("pvk2pfx -pvk a.pvk -pi {}", WORDS),
        ("pvk2pfx -pvk a.pvk -spc a.spc -po {}", WORDS),
        ("AzureSignTool sign -kvs {} a.exe", WORDS),
        ("certutil -f -p {} -importpfx a.pfx", WORDS),
        ("bw unlock {} --raw", WORDS),
        ("{ user: 'bob', key: '{}' }", UUID),
        ("url: https://x.test\nkey: {}", UUID),
        ("new Realtime({ key: '{}' })", "dkSskG.iBPoNZ:AUh5L_U69gZ5B0dxVDZ1vWGa1Ire_2y7"),
        (">>> app.config['SECRET_KEY']\n'{}'", HEX),
        ("irb(main):003> x.credentials.dig(:server_token)\n=> '{}'", UUID),
        ("$ cat .vault_pass\n{}", WORDS),
        ("my x appid is {}, wire it in", HEX),
        ("echo '{}' > .vault_pass", WORDS),
        ("echo {} >> ~/.config/tokens", WORDS),
        ("bundle config set --global gems.x.test {}", "2b09c352:d9c4c207"),
        ("npx cypress run --record --key {} --parallel", UUID),
        ('curl -H "X-Metabase-Session: {}" https://x.test', UUID),
        ("I rotated the application key, new one is {} in the vault", HEX),
        ('encrypt    = "{}"', "cMTgQVDapoQdd+M8KXlPazr5UoUtqf8/S1zxa5lZYpQ="),
        ('name  = "fernetKey"\n ~ value = "{}" -> (known after apply)', "7N5G0cCq_7eHMQLBLrBjVW7PgVXtoFaKM4GQF9HYJKk="),
        ("Accessor ID  = 1\nSecret ID    = {}", UUID),
        ("client = SearchClient.create('N2BVP6CI8Y', '{}')", HEX),
        ('-H "Authorization: Bearer {}"', "sk_qWlVFDDpbYjTBupqCzHaEOdQPVGTLM"),
        ("sudo asks for a password, it's {}", "mango-otter-1987"),
        ("both passwords are {}", "WalrusesDontSkate4"),
        ("the passphrase is {}, ssh on port 2222", "nine purple 4 otters waltz"),
        ("-----BEGIN USER NKEY SEED-----\n{}\n", "SUAW5GH7XRWPW52DZF4D6OTQPBHEPU2VBXP77Q7C4ZNGX4XVJ5YQSOO43P"),
    ],
)
def test_a_secret_is_recognised_by_the_program_that_takes_it(text: str, secret: str) -> None:
    assert masked(text.replace("{}", secret)) == text.replace("{}", MASK)


@pytest.mark.parametrize(
    "text",
    [
        "snmpget -v2c -c public core-1 1.3.6.1.2.1.1.3.0",
        '["CMD", "mysqladmin", "ping", "-p$MYSQL_ROOT_PASSWORD"]',
        '["mysql", "--protocol", "tcp", "port"]',
        "exports.NO_AUTH = NO_AUTH",
        'implementation("io.jsonwebtoken:jjwt-api:0.12.6")',
        f"pubkey ed25519:{HEX}{HEX}",
        f"No such API key: sk_test_{'*' * 16}3xQp",
        "echo done-2026-11 > build/stamp.txt",
        "bundle config set --local path vendor/bundle",
        f"TWILIO_ACCOUNT_SID=AC{HEX}",
        "api_key_hash = hashlib.sha256(token.encode()).hexdigest()",
        "  FirebaseAuth: b3d301fafb2f0bfa45cdd96d8b4a0d2b3a56cf03",
        "SUPABASE_SERVICE_ROLE_KEY=your-service-role-key-here",
        '"db:seed": "prisma db seed"',
        "SELECT passwd FROM pg_shadow WHERE usename=$1",
        'Purchases.configure(withAPIKey: "appl_JdKqWmZxTrYbVnHsPcLf")',
    ],
)
def test_names_in_such_lines_stay(text: str) -> None:
    assert masked(text) == text

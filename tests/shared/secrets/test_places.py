"""Where a password may stand, only a word that looks like one is masked."""

import json

import pytest

from shared.secrets.masking import MASK, masked


@pytest.mark.parametrize("secret", ["Velvet-Otter-58", "kettle88moss", "Moss!Kettle7", "Lantern_Moss21"])
@pytest.mark.parametrize(
    "text",
    [
        "sudo -S <<< {} ls",
        "geth account import --password <(echo {}) key",
        "hydra -l bob -p {} ssh://host",
        "net ads join -U bob%{}",
        "ttyd -c bob:{} bash",
        "sqlldr userid=scott/{} control=x.ctl",
        ".logon tdprod/bob,{}",
        "radius-server host 10.0.0.1 key {}",
        "ALTER USER scott IDENTIFIED BY {};",
        "conn hr/{} as sysdba",
        "impdp system/{} directory=x",
        "rman target sys/{}",
        "mount -t cifs //host/share /mnt -o user=bob%{}",
        "v-change-user-password bob {}",
        "doveadm user setpassword bob {}",
        "the htaccess is bob:{}",
        "the master is {}",
        "rabbitmqctl authenticate_user bob {}",
        "doveadm auth test bob {}",
        "radtest bob {} host 0 -",
        "the gate in front of x.test wants bob:{}; use it",
        "sandbox tester: bob@x.test {}",
        "mailer@x.test, {}",
        "grafana: admin / {}",
        "connect as bob / {} please",
        "the magic word is {}.",
        "the vault is locked with {}",
        "the network key is {}",
    ],
)
def test_a_passwordlike_word_in_a_passwords_place_is_masked(text: str, secret: str) -> None:
    whole = text.replace("{}", secret)
    assert masked(whole) == text.replace("{}", MASK)
    assert secret not in masked(json.dumps({"text": whole}))


@pytest.mark.parametrize(
    ("text", "secret"),
    [("fly login -u bob -p mossKettle", "mossKettle"), ("preview: bob / k3ttle/Moss", "k3ttle/Moss")],
)
def test_an_option_allows_mixed_case_and_a_pair_a_slash(text: str, secret: str) -> None:
    assert masked(text) == text.replace(secret, MASK)


@pytest.mark.parametrize(
    "text",
    [
        'grep -c bash <<< "$lines"; wc -l <<< "some text"',
        "docker run -u 1000 -p 8080:80 image; ssh -l bob -p 2222 host",
        "docker build -c image:latest -t shop:build-2024 .",
        'path = (workshop.folder / "cx-001-checkpoint.json")',
        "the release needs approval and wants review-before-merge",
        "git clone git@github.com:bob/shop.git; mail bob@x.test about it",
        "user add form; radtest of users.py, locked with flock(2)",
        "iOS / Android 14 / web",
    ],
)
def test_other_words_in_a_passwords_place_stay(text: str) -> None:
    assert masked(text) == text

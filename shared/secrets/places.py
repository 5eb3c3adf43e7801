"""Places where a password may stand, and other words as well: only what looks like a password is one there."""

import itertools
import re
from collections.abc import Iterator

from shared.secrets import values
from shared.secrets.values import Span, compiled
from shared.secrets.vocabulary import Vocabulary

_PIECE = r"\\*[\"'`]?(?P<secret>[^\s\"'`\\<>()\[\]{},;|]{6,200})"
_ARGUMENT = rf"(?<![^\s]){_PIECE}"
_COMMAND = r"[^\n|;&]{0,120}"
_USER = r"[A-Za-z][\w@.+-]{1,40}"

NEXT: dict[str, str] = {
    "<<<": r"<<< *",
    "<(echo|<(printf": r"<\((?:echo|printf) (?:-n )?",
    "echo ": r"echo (?<=[dDl][= ][\"']echo )(?:-n )?",
    "-p |-P |-w |-a |-pw |-ap |-xp |-gp |-rp |p ": r"[-/](?<=\s.)(?:[luUnDxH]|[arxg]u|-?user\w*)[ =]\S{1,80}(?= )"
    r"[^|;&\n]{0,120}?\s[-/](?:p|P|w|a|pw|[arxg]p)[ =]",
    "-p '|-p \"|-p \\": r"-p (?=\\*[\"'])",
    "-U ": r"-U *\\*[\"']?[^\s%\"']{1,80}%",
    "user=": r"user=[^\s%,]{1,80}%",
    "-auth|-A |-U |-id |-c |-L|-n |-cred|-cert|-E ": r"-(?<=\s-)(?:-?auth\w*|A|U|id|c|L|n|-?cred\w*|-cert|E)[ =]"
    r"\\*[\"']?(?:socks5://)?[A-Za-z][\w.-]{0,40}:",
    "LOGIN |AUTH ": r"\b(?:LOGIN|AUTH) (?:\\*[\"']?[\w@.+-]{2,60}\\*[\"']? )?",
    "server": r"server[^\n]{1,60} key ",
    "wpa|WPA|WLAN|wlan|etwork key|ared key": r"(?:(?:W|w)(?:PA|pa|LAN|lan) |etwork |ared )key(?: is|:)? ",
    "@": r"@(?:[\w-]{1,40}\.){1,4}[a-z]{2,12}(?: ?[:/|,(\u2013-] ?| (?:with |and |pw |pass(?:word)? )?)",
    **{
        word: rf"{word}[\w$#]{{1,40}}/"
        for word in ("sqlplus ", "conn ", "connect ", "target ", "userid=", "impdp ", "expdp ")
    },
    **{word: rf"{word} ?[\w.-]{{1,40}}/[\w.-]{{1,40}}," for word in (".logon", ".LOGON", "login:")},
    **{
        word: rf"{word} (?:{_USER}[:/])?"
        for word in ("wants", "needs", "requires", "expects", "accepts", "rotected with", "rotected by", "htaccess is")
    },
    **{
        word: f"{word}(?: is|:| with|) "
        for word in (
            "magic word", "codeword", "code word", "secret word", "safe word", "the word", "master", "opens", "locked",
            "nlocks it", "isakmp key", "digest-key 1 md5", "psksecret", "key-string", "adius secret", "hared secret",
            "PSec secret", "hared key", "dentified by", "DENTIFIED BY", "pre-shared-key", "pre-shared-secret",
            "ascii-text",
        )
    },
}  # fmt: skip
"""Behind which a password comes next."""

_ACCOUNTS = (
    r"account|tester|user(?:name)?|login|in as|log in|connect as|utente|usu[aá]rio|benutzer|gebruiker|zugang\w*|creds"
)
_PAIR = (
    rf"(?i)(?:(?:^|[:>|\u2192\n])\s?{_USER}|\b(?:with|as|mit|con|avec|met|{_ACCOUNTS})\W{{1,2}}{_USER}"
    r"|\b(?:root|admin|superuser|elastic|postgres|sa)) \Z"
)
"""Behind which a stroke joins a password to its user."""

WITHIN: dict[str, str] = {
    command: f"{re.escape(command)} "
    for command in (
        "add_user", "add-user", "adduser", "add-user.sh", "user add", "users add", "user create", "user passwd",
        "user-create", "user create:", "user:create", "create-user", "change_password", "change-password",
        "user:password", "account add", "create_user", "createuser",
        "user setpassword", "user set password", "authenticate_user", "upwd", "auth test", "auth login", "email add",
        "email update", "zmprov", "cf auth", "radtest", "radclient", "mosquitto_passwd", "vmq-passwd", "isql",
        "encryptwallet", "walletpassphrase", "airportnetwork", "-setairportnetwork", "ssid_passphrase", "-passwd",
        "+login", "conjur variable", "admins add", "addauth", "v-add-database", "v-change-user-password",
        "deluge-console",
    )
}  # fmt: skip
"""The commands of which an argument is a password."""


def spans(text: str, words: Vocabulary) -> Iterator[Span]:
    """What looks like a password in such a place. `text` has real line ends, and a secret has its place."""
    for before in words.called_for(NEXT):
        for match in compiled(before).finditer(text):
            yield from _one(compiled(_PIECE).match(text, match.end()), is_option=before[0] in "-[")
    for match in compiled(r" / ").finditer(text):
        if compiled(_PAIR).search(text, max(0, match.start() - 60), match.start() + 1):
            yield from _one(compiled(_PIECE).match(text, match.end()), stroke="-")
    for command in words.called_for(WITHIN):
        end = 0
        for match in compiled(command).finditer(text):
            if match.start() >= end:
                rest = compiled(_COMMAND).match(text, match.end())
                end = rest.end() if rest else len(text)
                pieces = compiled(_ARGUMENT).finditer(text, match.end(), end)
                yield from itertools.islice((span for piece in pieces for span in _one(piece)), 1)


def _one(piece: re.Match[str] | None, *, is_option: bool = False, stroke: str = "/") -> Iterator[Span]:
    """A word, if it looks like a password with `stroke` for `/`; behind an option also one of letters of both kinds."""
    if piece:
        word = piece["secret"].rstrip(".:?")
        joined = word.replace("/", stroke)
        is_one = values.is_telling(joined) or values.is_mingled(word, 10) or values.is_random(word)
        is_odd = is_one and compiled(r".*[\d!#$%&*+@^]").match(word)
        is_word = is_option and compiled(r"[a-z]+[A-Z][A-Za-z]+").fullmatch(word)
        if (is_odd or is_word) and not values.stands_for_one(word):
            yield Span(piece.start("secret"), piece.start("secret") + len(word))

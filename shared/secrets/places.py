"""Places where a password may stand, and other words as well: only what looks like a password is one there."""

import itertools
import re
from collections.abc import Iterator

from shared.secrets import values
from shared.secrets.values import Span, compiled

_PIECE = r"\\*[\"'`]?(?P<secret>[^\s\"'`\\<>()\[\]{},;|]{6,200})"
_ARGUMENT = rf"(?<![^\s]){_PIECE}"
_COMMAND = r"[^\n|;&]{0,120}"
_USER = r"[A-Za-z][\w@.+-]{1,40}"

NEXT: dict[str, str] = {
    "<<<": r"<<< *",
    "<(echo|<(printf": r"<\((?:echo|printf) (?:-n )?",
    "-p |-P |-w |-a |-pw |-ap |-xp |-gp |-rp |p ": r"[-/](?<=\s.)(?:[luUnDxH]|[arxg]u|-?user\w*)[ =]\S{1,80}(?= )"
    r"[^|;&\n]{0,120}?\s[-/](?:p|P|w|a|pw|[arxg]p)[ =]",
    "-U ": r"-U *\\*[\"']?[^\s%\"']{1,80}%",
    "-auth|-A |-U |-id |-c |-L|-n |-cred|-cert|-E ": r"-(?<=\s-)(?:-?auth\w*|A|U|id|c|L|n|-?cred\w*|-cert|E)[ =]"
    r"\\*[\"']?(?:socks5://)?[A-Za-z][\w.-]{0,40}:",
    "LOGIN |AUTH ": r"\b(?:LOGIN|AUTH) (?:\\*[\"']?[\w@.+-]{2,60}\\*[\"']? )?",
    "server": r"server[^\n]{1,60} key ",
    "wpa|WPA|WLAN|wlan|etwork key|ared key": r"(?:(?:W|w)(?:PA|pa|LAN|lan) |etwork |ared )key(?: is|:)? ",
    "@": r"@(?:[\w-]{1,40}\.){1,4}[a-z]{2,12}(?: ?[:/|,(\u2013-] ?| (?:with |and |pw |pass(?:word)? )?)",
    "userid=": r"userid=[\w$#]{1,40}/",
    ".logon": r"\.logon ?[\w.-]{1,40}/[\w.-]{1,40},",
    "wants |needs |requires |expects |accepts ": rf"(?:wants|needs|requires|expects|accepts) (?:{_USER}[:/])?",
    "word |opens |locked |rotected ": r"(?:magic word|code ?word|secret word|opens|locked|rotected)"
    r"(?: is|:| with| by|) ",
    "ared key|ared-key|ared secret|ared-secret|kmp key|key 1 md5|psksecret|key-string|us secret|ec secret"
    "|ascii-text": r"(?:ared[ -](?:key|secret)|isakmp key|digest-key 1 md5|psksecret|key-string|(?:adius"
    r"|PSec) secret|ascii-text)"
    r"(?: is|:|) ",
}
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
    "user add|users add|email add|account add|user create|user:create|user-create|user passwd|user:password": r"(?:user"
    r"|users|email|account)[ :-](?:add|create|passwd|password):? ",
    "add_user|add-user|adduser|create_user|create-user|createuser": r"(?:add|create)[-_]?user(?:\.sh)? ",
    "change_password|change-password|set password|setpassword": r"(?:change[-_]|set ?)password ",
    "authenticate_user|auth test|auth login|radtest|radclient|+login": r"(?:auth(?:enticate_user| test| login)"
    r"|rad(?:test|client)|\+login) ",
    "wallet|airportnetwork|conjur variable|zmprov|cf auth|q-passwd|mosquitto_passwd|ssid_passphrase|isql|upwd|addauth"
    "|admins add|v-add-database|deluge-console": r"(?:encryptwallet|walletpassphrase|airportnetwork"
    r"|conjur variable|zmprov"
    r"|cf auth|vmq-passwd|mosquitto_passwd|ssid_passphrase|isql|upwd|addauth|admins add|v-add-database"
    r"|deluge-console) ",
}
"""The commands of which an argument is a password."""


def spans(text: str, nexts: list[str], commands: list[str]) -> Iterator[Span]:
    """What looks like a password behind these patterns. `text` has real line ends, and a secret has its place."""
    for before in nexts:
        for match in compiled(before).finditer(text):
            yield from _one(compiled(_PIECE).match(text, match.end()))
    for match in compiled(r" / ").finditer(text):
        if compiled(_PAIR).search(text, max(0, match.start() - 60), match.start() + 1):
            yield from _one(compiled(_PIECE).match(text, match.end()))
    for command in commands:
        end = 0
        for match in compiled(command).finditer(text):
            if match.start() >= end:
                rest = compiled(_COMMAND).match(text, match.end())
                end = rest.end() if rest else len(text)
                pieces = compiled(_ARGUMENT).finditer(text, match.end(), end)
                yield from itertools.islice((span for piece in pieces for span in _one(piece)), 1)


def _one(piece: re.Match[str] | None) -> Iterator[Span]:
    """A word, if it looks like a password."""
    if piece:
        word = piece["secret"].rstrip(".:?")
        is_one = values.is_telling(word) or values.is_mingled(word, 10) or values.is_random(word)
        if is_one and compiled(r".*[\d!#$%&*+@^]").match(word) and not values.stands_for_one(word):
            yield Span(piece.start("secret"), piece.start("secret") + len(word))

"""Secrets in the arguments of a call: a password if it logs in or encrypts, a key if it makes a client."""

import collections
from collections.abc import Iterator

from shared.secrets import tables, values
from shared.secrets.values import Span, compiled

_CALLS = dict(tables.rows("calls"))
_STRING = (
    r"[(,\[{>h](?<!\wh)\s{0,24}[bu@$]?\\{0,3}[\"']"
    r"(?=[^\s\"'\\]{0,60}[0-9!#$%&*]|[A-Za-z]{16}|[A-Za-z]{3,20}(?:[-.][A-Za-z]|_?[A-Z])"
    r"|(?:(?<=[\"'], .)|(?<=[\"'], \\.))[a-z]{6,20}\\{0,3}[\"']\))"
    r"(?P<secret>[^\s\"'\\(){}<>,;]{6,160}+)\\{0,3}[\"'](?! ?:)"
)
_LOGIN = r"auth|log_?[io]n(?!fo)|sign_?in|bind|cred|connect|mysql|pdo|directoryentry|basic|smtp|ftp"
_ARGUMENTS = (
    r"(?:[^()\n;\"']|\"[^\"\n]{0,90}\"|'[^'\n]{0,90}'|\([^()\n]{0,60}\)|\n(?!\n)){0,60}?(?:[\w.:&\[\] ]{1,40}\(){0,2}"
)
_CALL = rf"[\w.:]{{0,40}}(?:->\w{{1,20}})?(?: ?= ?)?(?:\(|\\*[\"']? ?[=:]=?>? ?[\[({{]|\s(?=\\*[\"'])){_ARGUMENTS}\Z"
_LOGS_IN = rf"(?:{_LOGIN}){_CALL}"
_TAKES = rf"(?:{_LOGIN}|{_CALLS['encrypts']}){_CALL}"
"""What precedes a password, in lower case: the name of a call, an array or a table, and its other arguments."""
_NAMES_USER = (
    r"(?:log_?[io]n(?!fo)|sign_?in|(?:basic|plain)_?auth|pdo|mysqli?|(?:ldap|simple)\w*bind|get_?connection|user_and_|cred|jwt\.\w{4,6})"
    rf"{_CALL}"
)
"""Calls that take a name and a password, and nothing else that looks like a password."""
_WORDS = (
    r"[a-z]{6,20}|(?![\w.-]*\.(?:[a-z]{2,4}|local|internal|example)$)[^\W\d_]{3,}"
    r"(?:(?:[-.]|_?(?=[A-Z]))[^\W\d_]{2,}){1,6}"
)
"""Joined words that are no host name."""
_WORD_AND_SIGN = r"[^\W\d_]{5,}[!#$%&*?]"
_NAMED = r"\b(?:[A-Z_]+\.)?[A-Z_]*(?:PASS|CRED|PWD|SECRET)[A-Z_]*,\s?\Z"
_SIGNS = r"\bjwt\.(?:sign|verify|encode|decode)\([^()\n\"']{1,60}, ?\Z"


_FARTHEST = 160
"""Characters before an argument that contain its call."""
_LIST = 4
"""This many strings within that distance before the next are a list."""


def spans(text: str) -> Iterator[Span]:
    """Yield the arguments that are secrets. `text` has real line ends, at the original offsets."""
    last = collections.deque([-_FARTHEST] * _LIST, _LIST)
    for string in compiled(_STRING).finditer(text):
        secret, start = string["secret"], string.start() + 1
        is_apart = start - last[0] >= _FARTHEST
        last.append(start)
        if is_apart and _is_secret(secret, text[max(0, start - _FARTHEST) : start]):
            yield Span(*string.span("secret"))


def _is_secret(secret: str, before: str) -> bool:
    """Whether the call before `secret` takes a value that looks like it."""
    if values.is_placeholder(secret):
        return False
    calls, is_second = None, "," in before[-12:]
    if compiled(_WORDS).fullmatch(secret):
        calls = _NAMES_USER if is_second else None
    elif values.is_distinctive(secret[secret[0] in "!&" :]) or values.is_scrambled(secret, 10):
        if compiled(_NAMED).search(before):
            return True
        calls = _TAKES
    elif is_second and len(secret) >= 8 and (values.is_mixed(secret) or compiled(_WORD_AND_SIGN).fullmatch(secret)):
        calls = _LOGS_IN
    if calls and compiled(calls).search(before.lower()):
        return True
    is_key = values.is_key(secret) or (values.is_identifier(secret) and before.endswith("Client("))
    return is_key and bool(compiled(_CALLS["makes"]).search(before) or compiled(_SIGNS).search(before))
